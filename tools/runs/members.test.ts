// Which processes belong to a run.
import { expect, test } from 'vitest'
import { isOver, lineOf, membersOf, nameOf, npmAbove, runOfFolder } from './members.ts'
import { parseStat, type Process, valueOf } from './processes.ts'

const run = { id: '10-500', folder: '/dev/shm/todoke-run-10-500-AbCdEf' }

const processOf = (pid: number, parent: number, more: Partial<Process> = {}): Process => ({
  pid,
  parent,
  started: String(pid * 50),
  leadsTerminal: false,
  run: undefined,
  ofNpm: false,
  folder: '/',
  command: '',
  ...more,
})

const pidsOf = (all: readonly Process[], known: string[] = [], except: number[] = []) =>
  membersOf(all, run, { known: new Set(known), except: new Set(except) }).map((it) => it.pid)

test('members are the first process, those that name the run, and all descendants', () => {
  const all = [
    processOf(1, 0),
    processOf(10, 1),
    processOf(11, 10),
    processOf(12, 11),
    processOf(13, 1, { run: run.id }),
    processOf(14, 13),
    processOf(15, 1),
  ]
  expect(pidsOf(all)).toEqual([10, 13, 11, 12, 14])
})

test('a process without an environment is a member when it uses the folder of the run', () => {
  const all = [
    processOf(20, 1, { folder: `${run.folder}/todoke-pg-1/data` }),
    processOf(21, 1, { command: `nginx: master process nginx -p ${run.folder}/nginx` }),
    processOf(22, 1, { folder: '/dev/shm/todoke-run-10-500-Other' }),
    processOf(23, 1, { folder: `${run.folder}x` }),
  ]
  expect(pidsOf(all)).toEqual([20, 21])
})

test('another run is left alone: beside this one, below it, and in its folder', () => {
  const other = { run: '30-1500' }
  const all = [
    processOf(10, 1),
    processOf(30, 1, other),
    processOf(31, 10, other),
    processOf(32, 31, other),
    processOf(33, 1, { ...other, folder: run.folder }),
  ]
  expect(pidsOf(all)).toEqual([10])
})

test('a later process with the number of the first one is no member', () => {
  const all = [processOf(10, 1, { started: '501' }), processOf(11, 10)]
  expect(pidsOf(all)).toEqual([])
  expect(isOver(run.id, all)).toBe(true)
  expect(isOver(run.id, [processOf(10, 1)])).toBe(false)
})

test('a process that was a member remains one after its parent has ended', () => {
  const orphan = processOf(12, 1)
  expect(pidsOf([orphan])).toEqual([])
  expect(pidsOf([orphan], [nameOf(orphan)])).toEqual([12])
})

test('neither the shell of a person in the folder nor an excepted process is a member', () => {
  const all = [
    processOf(20, 1, { folder: run.folder, leadsTerminal: true }),
    processOf(21, 1, { run: run.id }),
  ]
  expect(pidsOf(all, [], [21])).toEqual([])
})

test('ancestors are followed to the first process, also through a loop', () => {
  const all = [processOf(1, 0), processOf(2, 1), processOf(3, 2), processOf(8, 9), processOf(9, 8)]
  expect(lineOf(3, all).map((it) => it.pid)).toEqual([3, 2, 1])
  expect(lineOf(8, all).map((it) => it.pid)).toEqual([8, 9])
})

test('above a command are its shell and npm; nothing without npm', () => {
  const of = { ofNpm: true }
  const all = [processOf(1, 0), processOf(2, 1), processOf(3, 2), processOf(4, 3, of), processOf(5, 4, of)]
  expect(npmAbove(5, all).map((it) => it.pid)).toEqual([4, 3])
  expect(npmAbove(3, all)).toEqual([])
})

test('the name of a folder tells its run; other names tell none', () => {
  expect(runOfFolder('todoke-run-10-500-AbCdEf')).toBe('10-500')
  for (const it of ['todoke-run-10-AbCdEf', 'todoke-pg-10-500-a', 'x-todoke-run-10-500-a'])
    expect(runOfFolder(it)).toBeUndefined()
})

test('the line of a process is read after the name of its program, which may have brackets', () => {
  const rest = `4 77 12 34816 12 4194304 ${'0 '.repeat(12)}205843 1`
  const read = parseStat(`12 (a) S 1 (b) S ${rest}`)
  expect(read).toEqual({ pid: 12, started: '205843', parent: 4, leadsTerminal: true })
  expect(parseStat(`12 (node) Z ${rest}`)).toBeUndefined()
})

test('a value of an environment is found by its whole name', () => {
  expect(valueOf('XTODOKE_RUN=1\0TODOKE_RUN=10-500\0A=b\0', 'TODOKE_RUN')).toBe('10-500')
  expect(valueOf('XTODOKE_RUN=1\0', 'TODOKE_RUN')).toBeUndefined()
})
