/** Carries the mark of a command into each of its processes. */
export const MARK_VARIABLE = 'TASKWRIGHT_EXEC';

/**
 * Finds what a command left running, with nothing but a POSIX shell's own commands, since an image need not have any
 * other program. A process belongs to the command when
 *
 * - its environment, or that of an ancestor, carries the mark; or
 * - neither it nor an ancestor is older than the command, carries the mark of another, or is of the session of the
 *   container's first process (the keep-alive, an entrypoint's children). This finds processes whose environment was
 *   cleared, or cannot be read because they run as another user (which takes a capability that containers lack).
 *
 * Processes of another mark, and children of services that were there before, are left alone.
 *
 * Arguments: mark, when the command started in hundredths of a second after the container's first process, `end` or
 * `count`. Prints `left N` at the end.
 */
// Shell braces are written `@{…}` here: `${…}` would be the template's own.
export const PROCESS_SCRIPT = String.raw`
mark=$1 after=$2 mode=$3 self=$$
marked() {
  answer=none
  {
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in
        *"${MARK_VARIABLE}=$mark"*) answer=own; return 0 ;;
        *"${MARK_VARIABLE}="*) answer=other ;;
      esac
    done < "/proc/$1/environ"
  } 2>/dev/null
  return 0
}
scan() {
  found= pids=
  for folder in /proc/[0-9]*; do
    pid=@{folder#/proc/}
    stat=
    { while IFS= read -r line || [ -n "$line" ]; do stat="$stat $line"; done < "$folder/stat"; } 2>/dev/null
    [ -n "$stat" ] || continue
    stat=@{stat##*\) }
    set -f; set -- $stat; set +f
    [ $# -ge 20 ] || continue
    eval "parent_$pid=$2 session_$pid=$4 start_$pid=@{20}"
    case $1 in Z|X|x) continue ;; esac
    [ "$pid" = 1 ] || [ "$pid" = "$self" ] || pids="$pids $pid"
  done
  since=$((start_1 + after))
  for pid in $pids; do
    at=$pid
    while :; do
      if [ "$at" = "$self" ]; then break; fi
      marked "$at"
      if [ $answer = own ]; then found="$found $pid"; break; fi
      if [ $answer = other ]; then break; fi
      eval "start=\@{start_$at:-} parent=\@{parent_$at:-} session=\@{session_$at:-}"
      [ -n "$start" ] || break
      [ "$session" != "$session_1" ] || break
      [ "$start" -ge "$since" ] || break
      case $parent in 0|1|'') found="$found $pid"; break ;; esac
      at=$parent
    done
  done
}
round=0
scan
if [ "$mode" = end ]; then
  while [ -n "$found" ] && [ $round -lt 200 ]; do
    kill -STOP $found 2>/dev/null
    kill -KILL $found 2>/dev/null
    round=$((round + 1))
    scan
  done
fi
set -- $found
echo "left $#"
`.replaceAll('@{', '${');

/** Start of a command that is not known: only what carries the mark is found. */
export const UNKNOWN_START = 10 ** 15;

/** Reads what the script printed; null when it did not come to its end. */
export function readLeft(output: string): number | null {
  const match = /^left (\d+)$/m.exec(output);
  return match ? Number(match[1]) : null;
}
