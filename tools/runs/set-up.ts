// Global set-up of vitest and Playwright: the runner and what it starts are one run.
import { beginRun } from './begin.ts'

export default async function setUp(): Promise<void> {
  await beginRun({ answeredBy: 'runner' })
}
