import type { GateDocument, GateTaskResult } from '../../core/gates/document';
import { tallyCheats } from '../../core/gates/judge-cheat';
import type { GateResult } from '../../core/gates/verdict';
import { plainText } from '../plain-text';

/**
 * A suite a task, a case a gate. A gate that failed is a `failure`; one that could not decide is an `error`, as it says
 * nothing of what is tested.
 */
export function junitReport(document: GateDocument): string {
  const { summary, tasks } = document;
  const total = summary.passed + summary.failed + summary.notProven;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="taskwright gates" tests="${total}" failures="${summary.failed}" errors="${summary.notProven}" time="${seconds(tasks.flatMap(({ gates }) => gates))}">`,
    ...tasks.map(suite),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(task: GateTaskResult): string {
  const { gates } = task;
  const count = (verdict: string): number => gates.filter((gate) => gate.verdict === verdict).length;
  return [
    `  <testsuite name="${xml(task.path)}" tests="${gates.length}" failures="${count('failed')}" errors="${count('not-proven')}" skipped="0" time="${seconds(gates)}">`,
    ...gates.map((gate) => testCase(task, gate)),
    '  </testsuite>',
  ].join('\n');
}

function testCase(task: GateTaskResult, gate: GateResult): string {
  const open = `    <testcase name="${gate.gate}" classname="${xml(task.name)}" time="${seconds([gate])}">`;
  const element = gate.verdict === 'failed' ? 'failure' : gate.verdict === 'not-proven' ? 'error' : null;
  const body = [
    ...(element === null
      ? []
      : [
          `      <${element} type="${gate.reason ?? ''}" message="${xml(gate.message ?? '')}">${xml(details(gate))}</${element}>`,
        ]),
    `      <system-out>${xml(account(gate))}</system-out>`,
  ];
  return [open, ...body, '    </testcase>'].join('\n');
}

function details(gate: GateResult): string {
  const lines = gate.attempts.flatMap(({ strategy, outcome, trial, message }) => {
    if (outcome === 'resisted' || outcome === 'n/a') return [];
    const named = [strategy, outcome, trial, message].filter((part) => typeof part === 'string');
    return named.length === 0 ? [] : [named.join('  ')];
  });
  return [gate.message ?? '', ...lines].join('\n');
}

function account(gate: GateResult): string {
  if (gate.gate === 'cheat') {
    const { resisted, hit, denied, notApplicable } = tallyCheats(gate.attempts);
    return `cheats: ${resisted} resisted, ${hit.length} hit, ${denied.length} denied, ${notApplicable} n/a`;
  }
  return gate.reward === null ? 'no reward' : `${gate.reward.key} ${String(gate.reward.value)} (${gate.reward.file})`;
}

function seconds(gates: readonly GateResult[]): string {
  const total = gates.flatMap(({ attempts }) => attempts).reduce((sum, { durationSec }) => sum + durationSec, 0);
  return total.toFixed(3);
}

/** Escaped, and without what XML 1.0 cannot hold even escaped. */
function xml(text: string): string {
  return plainText(text)
    .replace(/[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}
