#!/bin/sh
# Starts the service in a container, or anywhere else `todas` is installed.
#
#   entrypoint.sh                    migrate, then serve: for a single container
#   entrypoint.sh migrate            bring the schema up to date, then end: for a step that others wait for
#   entrypoint.sh serve [OPTION...]  serve on a schema that is up to date; the process becomes `todas serve`
#   entrypoint.sh COMMAND...         any other command of todas
set -eu

[ $# -gt 0 ] || set -- migrate serve
if [ "$1" = migrate ]; then
	todas migrate
	shift
	[ $# -gt 0 ] || exit 0
fi
if [ "$1" = serve ]; then
	shift
	set -- serve --no-migrate "$@"
fi
exec todas "$@"
