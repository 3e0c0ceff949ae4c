// One entry of the audit log as a row of the CSV that admins download.
import { expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { auditCsvHead, auditCsvRow } from './audit-csv.ts'
import { readAnchor } from './chain.ts'

test('each cell stands below its heading, and the last one is an anchor of the chain', () => {
  const hash = 'uIcHB-QzixktQsas4o0M_lPSNR15NwDd1WEbCZIyv1s'
  const row = auditCsvRow({
    seq: 12,
    hash,
    at: new Date('2026-11-26T03:04:05.006Z'),
    actorId: 'actor',
    actorName: '運営 花子',
    act: 'fee_rate',
    subjectKind: 'user',
    subjectId: 'subject',
    subjectName: '汐見はる',
    detail: { rate: 800, reason: '"合意"' },
    ip: '192.0.2.1',
  })
  expect(auditCsvHead.map((name, index) => `${name} = ${row[index]}`)).toEqual([
    '番号 = 12',
    '日時 = 2026-11-26T03:04:05.006Z',
    '操作した人のID = actor',
    '操作した人の名前 = 運営 花子',
    '操作 = fee_rate',
    '対象の種類 = user',
    '対象のID = subject',
    '対象の人の名前 = 汐見はる',
    '内容 = {"rate":800,"reason":"\\"合意\\""}',
    'IPアドレス = 192.0.2.1',
    `検証値 = 12:${hash}`,
  ])
  expect(row).toHaveLength(auditCsvHead.length)
  expect(readAnchor(defined(row.at(-1)))).toEqual({ seq: 12, hash })
})
