// Ends a command that runs on another Node than the project's, with one sentence.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The sentence about a Node that is too old; undefined for one that is not.
 * @param wanted range of the package `node`, such as `^24.9.0`
 */
export function refusalOf(version: string, wanted: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = wanted.replace('^', '').split('.').map(Number)
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return undefined
  return `This needs Node ${wantedMajor}.${wantedMinor} or newer, and ${version} runs it: use npx or an npm script, which take the Node of node_modules.`
}

const { dependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as {
  dependencies: { node: string }
}
const refusal = refusalOf(process.versions.node, dependencies.node)
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(1)
}
