#!/bin/sh
# SPDX-License-Identifier: MIT
# A stand-in for nvidia-smi: appends its arguments as a line to the file $WARPLINE_STAND_IN_SMI_LOG, and answers as
# $WARPLINE_STAND_IN_SMI says: nothing (all is well), no_permission, no_memory_lock, fail.
echo "$*" >>"$WARPLINE_STAND_IN_SMI_LOG"
case "$WARPLINE_STAND_IN_SMI" in
    no_permission)
        echo "The current user does not have permission to change clocks for GPU 00000000:1A:00.0."
        echo "Terminating early due to previous errors."
        exit 4
        ;;
    no_memory_lock)
        case "$*" in
            *mc*)
                echo "Setting locked memory clocks is not supported for GPU 00000000:1A:00.0."
                exit 3
                ;;
        esac
        ;;
    fail)
        echo "Unable to determine the device handle for GPU0: Unknown Error"
        exit 9
        ;;
esac
echo "All done."
