// The roles of people: members, and the operator's staff.
export const staffRoles = ['admin', 'moderator', 'finance'] as const
export type StaffRole = (typeof staffRoles)[number]
export const roleNames = ['member', ...staffRoles] as const
export type Role = (typeof roleNames)[number]
