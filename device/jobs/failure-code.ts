// Why a job or file failed: codes of the server and of this device.
import * as v from 'valibot'
import { errorStatus, type ErrorCode } from '#contract/errors.ts'

/** A reason that the device itself found, beside the server's codes. */
export const deviceCodes = ['bytes_missing', 'no_post_id', 'row_broken'] as const
export type DeviceCode = (typeof deviceCodes)[number]
export type FailureCode = ErrorCode | DeviceCode
export const failureCode = v.picklist([...(Object.keys(errorStatus) as ErrorCode[]), ...deviceCodes])
