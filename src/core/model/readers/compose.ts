import type { ComposeResult } from '../../text/compose';
import { readCompose } from '../../text/read-compose';
import type { FileReader } from '../subject';

export const composeReader: FileReader<ComposeResult> = {
  name: 'compose',
  read: (text) => readCompose(text),
};
