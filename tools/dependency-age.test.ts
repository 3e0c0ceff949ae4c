// The report of outdated dependencies.
import { expect, test } from 'vitest'
import { dependenciesOf, lagOf, reportOf } from './dependency-age.ts'

const times = {
  created: '2020-01-01T00:00:00Z',
  '1.2.0': '2026-01-01T00:00:00Z',
  '1.2.9': '2026-03-01T00:00:00Z',
  '1.2.10': '2026-04-11T00:00:00Z',
  '1.2.11-beta.1': '2026-09-01T00:00:00Z',
  '1.3.0': '2026-10-01T00:00:00Z',
}

test('the lag of a version is to the newest patch of its minor, without pre-releases', () => {
  expect(lagOf('a', '1.2.0', times)).toEqual({ name: 'a', version: '1.2.0', newest: '1.2.10', days: 100 })
  expect(lagOf('a', '1.2.10', times)).toBeUndefined()
  expect(lagOf('a', '1.3.0', times)).toBeUndefined()
  expect(lagOf('a', '9.9.9', times)).toBeUndefined()
})

test('the packages of package.json are checked, or all', () => {
  const packages = {
    '': { version: '0.1.0', dependencies: { a: '1.0.0' }, devDependencies: { '@b/c': '1.0.0' } },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/@b/c': { version: '2.0.0' },
    'node_modules/a/node_modules/d': { version: '3.0.0' },
  }
  expect(dependenciesOf({ packages }, false)).toEqual([
    ['a', '1.0.0'],
    ['@b/c', '2.0.0'],
  ])
  expect(dependenciesOf({ packages }, true)).toHaveLength(3)
})

test('the report has the packages that are late by more than 90 days', () => {
  const lag = (name: string, days: number) => ({ name, version: '1.0.0', newest: '1.0.1', days })
  const report = reportOf(3, [lag('old', 91), lag('fair', 90)], ['silent'], new Date('2026-11-22T00:00:00Z'))
  expect(report).toContain('| old | 1.0.0 | 1.0.1 | 91 |')
  expect(report).not.toContain('fair')
  expect(report).toContain('3 packages checked, 1 late, 1 without a reply: silent.')
})
