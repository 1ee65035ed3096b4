using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using static Gateway.Codec.Types.StandardIds.Objects;

namespace Gateway.Server.Tests.Access;

public sealed class AccessPolicyTests
{
    private const PermissionType Everything = (PermissionType)0x1FFFF;

    private readonly NodeTable _nodes = new();
    private readonly AccessPolicy _policy;

    public AccessPolicyTests()
    {
        _nodes.Namespaces.GetOrAdd("urn:test");
        _policy = new AccessPolicy(_nodes);
    }

    [Theory]
    [InlineData(Roles.None, false, false, false)]
    [InlineData(Roles.Observer, true, false, false)]
    [InlineData(Roles.SecurityAdmin, true, false, false)]
    [InlineData(Roles.Operator, true, true, false)]
    [InlineData(Roles.Operator | Roles.Observer, true, true, false)]
    [InlineData(Roles.Engineer, true, true, true)]
    public void Allows_NodeWithoutRule_WhatTheGatewaysRolesSay(
        Roles roles, bool reads, bool writes, bool seesPermissions)
    {
        var (node, caller) = (Add(), Caller(roles));
        foreach (var permission in new[] { PermissionType.Browse, PermissionType.Read, PermissionType.ReceiveEvents })
            Assert.Equal(reads, _policy.Allows(caller, node, permission));
        foreach (var permission in new[] { PermissionType.Write, PermissionType.Call })
            Assert.Equal(writes, _policy.Allows(caller, node, permission));
        Assert.Equal(seesPermissions, _policy.Allows(caller, node, PermissionType.ReadRolePermissions));
    }

    [Theory]
    [InlineData(WellKnownRole_Anonymous, Roles.None, UserKind.Anonymous, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_Anonymous, Roles.Engineer, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_AuthenticatedUser, Roles.None, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_TrustedApplication, Roles.None, UserKind.Anonymous, MessageSecurityMode.Sign)]
    [InlineData(WellKnownRole_Observer, Roles.Observer, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_Observer, Roles.SecurityAdmin, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_Operator, Roles.Operator, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_Operator, Roles.Engineer, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_Engineer, Roles.Engineer, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_Supervisor, Roles.Engineer, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_ConfigureAdmin, Roles.Engineer, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_SecurityAdmin, Roles.SecurityAdmin, UserKind.UserName, MessageSecurityMode.None)]
    public void Allows_RoleOfTheStandard_IsHad(uint role, Roles roles, UserKind kind, MessageSecurityMode mode)
    {
        var node = Add(null, (role, PermissionType.Write));
        Assert.Equal(PermissionType.Write, _policy.PermissionsOf(Caller(roles, kind, mode), node));
    }

    [Theory]
    [InlineData(WellKnownRole_AuthenticatedUser, Roles.Engineer, UserKind.Anonymous, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_TrustedApplication, Roles.Engineer, UserKind.UserName, MessageSecurityMode.None)]
    [InlineData(WellKnownRole_Observer, Roles.None, UserKind.UserName, MessageSecurityMode.Sign)]
    [InlineData(WellKnownRole_Operator, Roles.Observer, UserKind.UserName, MessageSecurityMode.Sign)]
    [InlineData(WellKnownRole_Engineer, Roles.Operator, UserKind.UserName, MessageSecurityMode.Sign)]
    [InlineData(WellKnownRole_Supervisor, Roles.Operator, UserKind.UserName, MessageSecurityMode.Sign)]
    [InlineData(WellKnownRole_ConfigureAdmin, Roles.Operator, UserKind.UserName, MessageSecurityMode.Sign)]
    [InlineData(WellKnownRole_SecurityAdmin, Roles.Engineer, UserKind.UserName, MessageSecurityMode.Sign)]
    [InlineData(25565u, (Roles)15, UserKind.UserName, MessageSecurityMode.SignAndEncrypt)]
    public void Allows_RoleOfTheStandard_IsNotHad(uint role, Roles roles, UserKind kind, MessageSecurityMode mode)
    {
        var node = Add(null, (role, Everything));
        Assert.Equal(PermissionType.None, _policy.PermissionsOf(Caller(roles, kind, mode), node));
    }

    [Fact]
    public void PermissionsOf_SeveralRoles_AreTheUnion()
    {
        var node = Add(
            null, (WellKnownRole_Observer, PermissionType.Browse), (WellKnownRole_Operator, PermissionType.Read),
            (WellKnownRole_SecurityAdmin, PermissionType.Write));
        Assert.Equal(PermissionType.Browse | PermissionType.Read, _policy.PermissionsOf(Caller(Roles.Operator), node));
    }

    [Fact]
    public void PermissionsOf_NobodyKnown_AreNone()
    {
        var node = Add(null, (WellKnownRole_Anonymous, Everything));
        var nobody = new Caller(null, CallerDoor.UaBinary, MessageSecurityMode.SignAndEncrypt, true, true);
        Assert.Equal(PermissionType.None, _policy.PermissionsOf(nobody, node));
    }

    [Theory]
    [InlineData(AccessRestrictionType.SessionRequired)]
    [InlineData(AccessRestrictionType.SessionRequired | AccessRestrictionType.ApplyRestrictionsToBrowse)]
    public void Check_SessionRequired_NothingWithoutOne(AccessRestrictionType restrictions)
    {
        var node = Add(restrictions);
        var identity = new UserIdentity("a", "a", Roles.Engineer, UserKind.UserName);
        var sessionless = new Caller(
            identity, CallerDoor.UaBinary, MessageSecurityMode.SignAndEncrypt, true, hasSession: false);
        foreach (var permission in new[] { PermissionType.Browse, PermissionType.Read, PermissionType.Call })
        {
            Assert.Equal(
                StatusCodes.BadSecurityModeInsufficient, _policy.Check(sessionless, node, permission).Code);
            Assert.True(_policy.Check(Caller(Roles.Engineer), node, permission).IsGood);
        }
    }

    [Fact]
    public void SetDefaultRule_NodesThereAndNodesToCome_FollowItUnlessTheySayOtherwise()
    {
        var (before, own) = (Add(), Add(AccessRestrictionType.None, (WellKnownRole_Observer, PermissionType.Browse)));
        _nodes.SetDefaultRule(1, new AccessRule(
            [new() { RoleId = new NodeId(WellKnownRole_Engineer), Permissions = PermissionType.Read }],
            AccessRestrictionType.SigningRequired));
        var after = Add();
        foreach (var node in new[] { before, after })
        {
            Assert.Equal(PermissionType.None, _policy.PermissionsOf(Caller(Roles.Operator), node));
            Assert.Equal(
                StatusCodes.BadSecurityModeInsufficient,
                _policy.Check(Caller(Roles.Engineer), node, PermissionType.Read).Code);
            var signed = Caller(Roles.Engineer, UserKind.UserName, MessageSecurityMode.Sign);
            Assert.True(_policy.Allows(signed, node, PermissionType.Read));
        }

        Assert.Equal(PermissionType.Browse, _policy.PermissionsOf(Caller(Roles.Operator), own));
    }

    private static Caller Caller(
        Roles roles, UserKind kind = UserKind.UserName, MessageSecurityMode mode = MessageSecurityMode.None) =>
        new(new UserIdentity("a", "a", roles, kind), CallerDoor.UaBinary, mode, isTrustedApplication: true,
            hasSession: true);

    private NodeHandle Add(
        AccessRestrictionType? restrictions = null, params (uint Role, PermissionType Permissions)[] permissions)
    {
        var id = new NodeId((uint)_nodes.HandleEnd, 1);
        _nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = id,
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Node", 1),
            AccessRestrictions = restrictions,
            RolePermissions =
            [
                .. permissions.Select(
                    one => new RolePermissionType { RoleId = new NodeId(one.Role), Permissions = one.Permissions }),
            ],
        }));
        return _nodes.Find(id);
    }
}
