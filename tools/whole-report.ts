// Vitest's JSON report, with the errors that no test has caught.
import { readFile, writeFile } from 'node:fs/promises'
import { JsonReporter, type TestModule } from 'vitest/node'

interface UnhandledError {
  readonly message?: string
  readonly stack?: string
}

/** Writes the report to `--outputFile.json`, and adds what vitest leaves out: `unhandledErrors`, their stacks, in order of appearance. */
// oxlint-disable-next-line import/no-default-export -- vitest takes the default export of a reporter's file
export default class WholeReport extends JsonReporter {
  override async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly UnhandledError[] = [],
  ): Promise<void> {
    // JsonReporter declares an array that can be changed, and changes nothing.
    await super.onTestRunEnd([...modules])
    const { outputFile } = this.ctx.config
    const file = typeof outputFile === 'object' ? outputFile['json'] : outputFile
    if (file === undefined) throw new Error('--outputFile.json is missing')
    const report = JSON.parse(await readFile(file, 'utf8')) as object
    const unhandledErrors = errors.map((it) => it.stack ?? it.message ?? 'an error without a message')
    await writeFile(file, JSON.stringify({ ...report, unhandledErrors }))
  }
}
