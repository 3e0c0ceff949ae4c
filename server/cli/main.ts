// Starts the operator's command line: `npm run admin -- <command>`.
import { resolveDirectly } from '#server/module-resolution.ts'

resolveDirectly()
const { runCommandLine } = await import('./command-line.ts')
process.exit(await runCommandLine(process.argv.slice(2)))
