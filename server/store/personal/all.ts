// All tables whose columns have duties.
import { crc32 } from 'node:zlib'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { commentColumns, messageColumns, postColumns, postVersionColumns } from './content.ts'
import { accountColumns, channelColumns, detailColumns, settingColumns } from './people.ts'
import {
  bankAccountColumns,
  departedPayeeColumns,
  sellerColumns,
  statementAddresseeColumns,
} from './selling.ts'

/** Each with the column by which its rows belong to a person. */
export const allPersonal = [
  [accountColumns, 'id'],
  [detailColumns, 'userId'],
  [settingColumns, 'userId'],
  [channelColumns, 'userId'],
  [sellerColumns, 'userId'],
  [bankAccountColumns, 'userId'],
  [departedPayeeColumns, 'userId'],
  [statementAddresseeColumns, 'creatorId'],
  [postColumns, 'authorId'],
  [postVersionColumns, 'authorId'],
  [commentColumns, 'authorId'],
  [messageColumns, 'senderId'],
] as const

/** A number that changes with what erasure leaves of any column. */
export const erasureVersion: number = crc32(
  JSON.stringify(
    allPersonal.map(([{ table, columns }]) => [
      getTableConfig(table).name,
      Object.entries(columns).map(([key, { erased }]) => [key, erased]),
    ]),
  ),
)
