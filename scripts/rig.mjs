// A real VS Code in a real browser: starts the VS Code server of the rig (scripts/machine/editor.sh) on a free port,
// with data folders of its own, and opens its windows in Chromium. Whatever it started or made is ended and removed by
// `close()`.
import { chromium } from 'playwright-core';
import { spawn } from 'node:child_process';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const rigDir =
  process.env.TASKWRIGHT_RIG_DIR ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'taskwright', 'rig');
const serverMain = join(rigDir, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js');
const serverNode = join(rigDir, 'node_modules', '.bin', 'node');

/** Settings that keep everything but ourselves out of the picture. */
export const quietSettings = {
  'chat.disableAIFeatures': true,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'git.enabled': false,
  'window.restoreWindows': 'none',
  'workbench.reduceMotion': 'on',
};

export function findBrowser() {
  const candidates = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) throw new Error('No Chromium found. Run scripts/machine/editor.sh, or name one in CHROMIUM.');
  return found;
}

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

async function answers(url, child) {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The VS Code server ended with ${child.exitCode}.`);
    const status = await new Promise((done) => {
      get(url, (response) => {
        response.resume();
        done(response.statusCode);
      }).on('error', () => done(null));
    });
    if (status === 200) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('The VS Code server did not answer within 30 s.');
}

/** Runs the server's program to its end, as for installing a VSIX. */
export async function serverCommand(dataDir, args) {
  const child = spawn(serverNode, [serverMain, '--server-data-dir', dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((done) => child.on('close', done));
  return { code, output };
}

/**
 * Starts a server. `trust: true` leaves workspace trust on, so that windows open untrusted; else every folder is
 * trusted. `env` is added to the extension hosts' environment.
 */
export async function startServer({ trust = false, env = {}, dataDir: givenDataDir } = {}) {
  if (!existsSync(serverMain) || !existsSync(serverNode)) {
    throw new Error(`The rig is not in ${rigDir}. Run scripts/machine/editor.sh.`);
  }
  const dataDir = givenDataDir ?? (await mkdtemp(join(tmpdir(), 'taskwright-rig-')));
  const port = await freePort();
  const args = [serverMain, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token'];
  args.push('--accept-server-license-terms', '--telemetry-level', 'off', '--server-data-dir', dataDir);
  args.push('--enable-smoke-test-driver');
  if (!trust) args.push('--disable-workspace-trust');
  await mkdir(join(dataDir, 'data', 'User'), { recursive: true });
  await writeFile(join(dataDir, 'data', 'Machine', 'settings.json'), JSON.stringify(quietSettings), {
    flag: 'w',
  }).catch(async () => {
    await mkdir(join(dataDir, 'data', 'Machine'), { recursive: true });
    await writeFile(join(dataDir, 'data', 'Machine', 'settings.json'), JSON.stringify(quietSettings));
  });
  // A process group of its own, so that extension hosts and terminals go with it.
  const child = spawn(serverNode, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its sockets go with its folder: a server that is ended leaves them where they are.
    env: { ...process.env, TMPDIR: dataDir, ...env },
  });
  let log = '';
  child.stdout.on('data', (chunk) => (log = (log + chunk).slice(-50_000)));
  child.stderr.on('data', (chunk) => (log = (log + chunk).slice(-50_000)));
  const closed = new Promise((done) => child.on('close', done));
  const endGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // gone already
    }
  };
  const onExit = () => {
    endGroup('SIGKILL');
    if (!givenDataDir) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', onExit);
  try {
    await answers(`http://127.0.0.1:${port}/`, child);
  } catch (error) {
    process.off('exit', onExit);
    onExit();
    throw new Error(`${error.message}\n${log}`, { cause: error });
  }
  return {
    port,
    dataDir,
    pid: child.pid,
    log: () => log,
    async close() {
      process.off('exit', onExit);
      endGroup('SIGTERM');
      const late = setTimeout(() => endGroup('SIGKILL'), 5_000);
      await closed;
      clearTimeout(late);
      endGroup('SIGKILL');
      if (!givenDataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function startBrowser() {
  return chromium.launch({
    executablePath: findBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
    ],
  });
}

/** The address of a window: a folder (or none), our extension in development, and possibly its tests. */
export function windowUrl(server, { folder, workspace, tests, extension = root, payload = [] } = {}) {
  const remote = `vscode-remote://127.0.0.1:${server.port}`;
  const entries = [['skipWelcome', 'true'], ['skipReleaseNotes', 'true'], ...payload];
  if (extension) entries.push(['extensionDevelopmentPath', `${remote}${resolve(extension)}`]);
  if (tests) entries.push(['extensionTestsPath', `${remote}${resolve(tests)}`]);
  const query = new URL('http://localhost').searchParams;
  if (folder) query.set('folder', folder);
  else if (workspace) query.set('workspace', workspace);
  else query.set('ew', 'true');
  query.set('payload', JSON.stringify(entries));
  return `http://127.0.0.1:${server.port}/?${query}`;
}

/** Opens a window and waits until the workbench is drawn. */
export async function openWindow(browser, server, options = {}) {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    deviceScaleFactor: options.scale ?? 1,
  });
  const page = await context.newPage();
  await page.goto(windowUrl(server, options));
  await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: 60_000 });
  return page;
}

/**
 * Opens a window that runs a suite inside the real extension host, and waits for its end. Returns the exit code; what
 * the suite printed goes to `onLog`.
 */
export async function runSuite(browser, server, { tests, timeoutMs = 300_000, onLog = () => {}, ...options }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  try {
    let ended;
    const exit = new Promise((done) => (ended = done));
    await page.exposeFunction('codeAutomationLog', (type, args) => onLog(type, args));
    await page.exposeFunction('codeAutomationExit', (code) => ended(code));
    page.on('crash', () => ended('the page crashed'));
    const late = setTimeout(() => ended(`no end within ${timeoutMs / 1000} s`), timeoutMs);
    await page.goto(windowUrl(server, { ...options, tests }));
    const code = await exit;
    clearTimeout(late);
    return { code, page, context };
  } catch (error) {
    await context.close();
    throw error;
  }
}
