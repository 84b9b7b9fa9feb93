import type { StepRecord } from './steps.mjs';

export interface AcceptanceReport {
  readonly format: string;
  readonly release: string;
  readonly result: string;
  readonly inputs: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
  readonly steps: readonly StepRecord[];
}

export const reportFormat: string;
export function writeReport(
  folder: string,
  report: AcceptanceReport,
  redact: (text: string) => string,
): string;
export function readReport(folder: string): AcceptanceReport | undefined;
export function resultOf(steps: readonly StepRecord[]): string;
export function markdown(report: AcceptanceReport): string;
