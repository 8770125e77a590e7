import { CancellationTokenSource, ProgressLocation, window, type CancellationToken } from 'vscode';

/** Milliseconds in which nothing is said, and in which no more than the status bar says something. */
const silentMs = 1_000;
const quietMs = 3_000;

/** Takes what is being done now, in few words. */
export type Say = (message: string) => void;

/**
 * Shows that something takes a while, and how to end it: nothing for a second, then in the status bar, from the third
 * second on with a button. `work` ends soon after its token is cancelled.
 */
export async function patiently<T>(
  title: string,
  work: (token: CancellationToken, say: Say) => Promise<T>,
): Promise<T> {
  const source = new CancellationTokenSource();
  let last = '';
  let listener: Say = () => undefined;
  const running = work(source.token, (message) => {
    last = message;
    listener(message);
  });
  const ended = running.then(
    () => true,
    () => true,
  );
  try {
    if (await Promise.race([ended, after(silentMs)])) return await running;
    const isOver = await window.withProgress({ location: ProgressLocation.Window, title }, (progress) => {
      listener = (message) => {
        progress.report({ message });
      };
      listener(last);
      return Promise.race([ended, after(quietMs - silentMs)]);
    });
    if (isOver) return await running;
    const location = ProgressLocation.Notification;
    await window.withProgress({ location, title, cancellable: true }, (progress, token) => {
      token.onCancellationRequested(() => {
        source.cancel();
      });
      listener = (message) => {
        progress.report({ message });
      };
      listener(last);
      return ended;
    });
    return await running;
  } finally {
    source.dispose();
  }
}

function after(milliseconds: number): Promise<false> {
  return new Promise((done) => {
    setTimeout(() => {
      done(false);
    }, milliseconds);
  });
}
