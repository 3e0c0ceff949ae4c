// The files of containers and Kubernetes fit the schemas of their formats.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DCLinter } from 'dclint'
import { expect, onTestFinished, test, describe } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const root = path.join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, 'deploy', file), 'utf8')

/** A folder below the project, whose packages a compiler finds. */
function newFolder(): string {
  const folder = mkdtempSync(path.join(root, 'node_modules', '.todoke-schemas-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('the compose file', () => {
  const compose = read('container/compose.yaml')

  /** Messages of the linter about the schema of the Compose specification alone. */
  function violationsOf(text: string): string[] {
    const file = path.join(newFolder(), 'compose.yaml')
    writeFileSync(file, text)
    const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] })
    return linter
      .lintFiles([file], false)
      .flatMap((it) => it.messages)
      .filter((it) => it.rule === 'invalid-schema' || it.rule === 'invalid-yaml')
      .map((it) => it.message)
  }

  test('fits the schema of the Compose specification', () => {
    expect(violationsOf(compose)).toEqual([])
  })

  test.each([
    ['an unknown field', 'read_only: true', 'readonly: true'],
    ['a field of another type', 'shm_size: 256m', 'shm_size: [256m]'],
    ['an unknown condition', 'condition: service_healthy }\n    redis', 'condition: healthy }\n    redis'],
    ['a port that is a mapping of unknown fields', "ports: ['80:80', '443:443']", 'ports: [{ from: 80 }]'],
  ])('with %s does not fit', (_, from, to) => {
    expect(compose).toContain(from)
    expect(violationsOf(compose.replace(from, to))).not.toEqual([])
  })

  test('has two servers, a worker, PostgreSQL, Redis, an object store and nginx', () => {
    const { services } = parse(compose, { merge: true }) as {
      services: Record<string, { image: string; environment?: Record<string, string> }>
    }
    const roles = Object.entries(services).map(([name, it]) => [name, it.environment?.['ROLE'] ?? ''])
    expect(Object.fromEntries(roles)).toEqual({
      'web-1': 'web',
      'web-2': 'web',
      worker: 'worker',
      postgres: '',
      redis: '',
      store: '',
      'store-buckets': '',
      nginx: '',
    })
    for (const { image } of Object.values(services)) expect(image).toMatch(/^todoke$|:[\w.]+$/)
  })

  test('names servers and store in the shipped file of nginx', () => {
    const replaced = [...compose.matchAll(/s\/(127\.0\.0\.1:\d+)\/([\w-]+):\d+\//g)]
    expect(replaced.map(([, , name]) => name)).toEqual(['web-1', 'web-2', 'store'])
    for (const [, from] of replaced) expect(read('nginx/todoke.conf')).toContain(`server ${from}`)
  })
})

describe('the example for Kubernetes', () => {
  const kubernetes = read('kubernetes/todoke.yaml')
  /** Types of `kubernetes-types`, which are generated from the OpenAPI schemas of Kubernetes. */
  const types: Record<string, string> = {
    'v1 ConfigMap': 'core/v1',
    'v1 PersistentVolumeClaim': 'core/v1',
    'v1 Service': 'core/v1',
    'apps/v1 Deployment': 'apps/v1',
    'policy/v1 PodDisruptionBudget': 'policy/v1',
    'networking.k8s.io/v1 Ingress': 'networking/v1',
  }

  /** Errors of the compiler about all documents as values of their types. */
  function errorsOf(text: string): string[] {
    const source = parseAllDocuments(text).map((document, index) => {
      const value = document.toJS() as { apiVersion: string; kind: string }
      const from = types[`${value.apiVersion} ${value.kind}`]
      if (from === undefined) return `const unknown${index}: never = ${JSON.stringify(value.kind)}`
      return [
        `import type { ${value.kind} as T${index} } from 'kubernetes-types/${from}.d.ts'`,
        `export const d${index}: T${index} = ${JSON.stringify(value, null, 1)}`,
      ].join('\n')
    })
    const file = path.join(newFolder(), 'documents.ts')
    writeFileSync(file, source.join('\n'))
    const compiler = path.join(root, 'node_modules/.bin/tsc')
    const options = [
      '--noEmit',
      '--strict',
      '--ignoreConfig',
      '--types',
      '',
      '--module',
      'nodenext',
      '--skipLibCheck',
    ]
    // By this Node and without an environment: tests before this one may have changed it.
    const args = [compiler, ...options, '--allowImportingTsExtensions', file]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      env: {},
      encoding: 'utf8',
    })
    if (status !== 0 && !stdout.includes('error TS')) throw new Error(`the compiler did not run: ${stderr}`)
    return stdout.split('\n').filter((line) => line.includes('error TS'))
  }

  test('fits the schemas of Kubernetes 1.30', () => {
    expect(errorsOf(kubernetes)).toEqual([])
  })

  test.each([
    ['an unknown field', 'automountServiceAccountToken: false', 'automountToken: false'],
    ['a field of another type', 'replicas: 2', "replicas: '2'"],
    ['a missing field', 'selector: { matchLabels: { app: todoke, part: web } }\n  # A', '# A'],
    ['an unknown kind', 'kind: PodDisruptionBudget', 'kind: PodDisruption'],
  ])('with %s does not fit', (_, from, to) => {
    expect(kubernetes).toContain(from)
    expect(errorsOf(kubernetes.replace(from, to))).not.toEqual([])
  })
})
