import type { Snapshot, TextFile } from '../../task/snapshot';

/** A test script that gives no reward for anything. */
export function failingTestScript(isWindows: boolean): string {
  return isWindows
    ? '@echo off\r\nrem Check the work here, and write 1 only when it is right.\r\necho 0 > C:\\logs\\verifier\\reward.txt\r\n'
    : '#!/bin/bash\n# Check the work here, and write 1 only when it is right.\necho 0 > /logs/verifier/reward.txt\n';
}

/** The scripts that Harbor runs for a task of this system, with their texts. */
export function* scripts(disk: Snapshot, extension: 'sh' | 'bat'): Generator<TextFile & { readonly text: string }> {
  for (const file of disk.texts.values()) {
    const name = /(?:tests\/test|solution\/solve|workdir\/setup)\.(sh|bat)$/u.exec(file.path);
    if (name?.[1] === extension && file.text !== null) yield { ...file, text: file.text };
  }
}
