using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Server.Access;

namespace Gateway.Server.Tests.Access;

public sealed class AccessPolicyTests
{
    private static readonly NodeHandle Node = new(7);

    [Theory]
    [InlineData(Roles.None, false, false, false)]
    [InlineData(Roles.Observer, true, false, false)]
    [InlineData(Roles.SecurityAdmin, true, false, false)]
    [InlineData(Roles.Operator, true, true, false)]
    [InlineData(Roles.Operator | Roles.Observer, true, true, false)]
    [InlineData(Roles.Engineer, true, true, true)]
    public void Allows_Role_WhatTheDesignSays(Roles roles, bool reads, bool writes, bool seesPermissions)
    {
        var policy = new AccessPolicy();
        foreach (var permission in new[] { PermissionType.Browse, PermissionType.Read, PermissionType.ReceiveEvents })
            Assert.Equal(reads, policy.Allows(roles, Node, permission));
        foreach (var permission in new[] { PermissionType.Write, PermissionType.Call })
            Assert.Equal(writes, policy.Allows(roles, Node, permission));
        Assert.Equal(seesPermissions, policy.Allows(roles, Node, PermissionType.ReadRolePermissions));
    }

    [Fact]
    public void Restrict_Node_OnlyTheNamedRolesKeepIt()
    {
        var policy = new AccessPolicy();
        policy.Restrict(Node, PermissionType.Call, Roles.SecurityAdmin);
        Assert.False(policy.Allows(Roles.Engineer, Node, PermissionType.Call));
        Assert.True(policy.Allows(Roles.Engineer, Node, PermissionType.Write));
        Assert.True(policy.Allows(Roles.SecurityAdmin, Node, PermissionType.Call));
        Assert.False(policy.Allows(Roles.SecurityAdmin, Node, PermissionType.Write));
        Assert.True(policy.Allows(Roles.Engineer, new NodeHandle(8), PermissionType.Call));
    }
}
