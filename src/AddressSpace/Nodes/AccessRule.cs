using Gateway.Codec.Structures;

namespace Gateway.AddressSpace.Nodes;

/// <summary>The access rules that a model gives a node: its attributes, or the defaults of its namespace. Source: Part
/// 3 §5.2.9, §5.2.11.</summary>
/// <param name="RolePermissions">Null: the model says nothing, and the server's own roles decide.</param>
/// <param name="Restrictions">Null: none.</param>
public readonly record struct AccessRule(RolePermissionType[]? RolePermissions, AccessRestrictionType? Restrictions);
