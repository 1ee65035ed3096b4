using Gateway.AddressSpace.Import;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using static Gateway.Codec.Types.StandardIds.Objects;

namespace Gateway.AddressSpace.Tests.Import;

/// <summary>What files say about rights, and for which nodes. Source: Part 3 §5.2.9, §5.2.11; Part 6 Annex F.</summary>
public sealed class NodeSetRightsTests : IDisposable
{
    private const string Uri = "urn:test:model";

    private readonly AddressSpaces _space = AddressSpaces.Standard();
    private readonly string _folder = Directory.CreateTempSubdirectory("nodesets").FullName;

    public NodeSetRightsTests() => _space.Nodes.Namespaces.GetOrAdd("urn:test:server");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void LoadFile_NodeWithoutRights_HasNoRule()
    {
        Load("", Object("O", ""));
        Assert.False(_space.Nodes.HasAccessRule(Find("O")));
        Assert.Equal(default, _space.Nodes.GetAccessRule(Find("O")));
    }

    [Fact]
    public void LoadFile_RightsOfTheModel_HoldForNodesThatSayNothing()
    {
        Load(
            """AccessRestrictions="3"><RolePermissions><RolePermission Permissions="33">Boss</RolePermission>""" +
            "</RolePermissions",
            Object("O", "") + Object("Own", Permissions("i=15680", 1)) + Object("Free", "", "AccessRestrictions=\"0\""),
            """<Alias Alias="Boss">i=15704</Alias>""");
        var rule = Rule("O");
        Assert.Equal((WellKnownRole_SecurityAdmin, 33u), Single(rule));
        Assert.Equal((AccessRestrictionType)3, rule.Restrictions);
        Assert.Equal((WellKnownRole_Operator, 1u), Single(Rule("Own")));
        Assert.Equal((AccessRestrictionType)3, Rule("Own").Restrictions);
        Assert.Equal(AccessRestrictionType.None, Rule("Free").Restrictions);
        Assert.False(_space.Nodes.HasAccessRule(_space.Nodes.Find(new NodeId(ObjectsFolder))));
    }

    [Fact]
    public void LoadFile_HasNoPermissions_GrantsNothingToAnybody()
    {
        Load("", Object("O", "", "HasNoPermissions=\"true\"") + Object("Empty", "<RolePermissions />"));
        Assert.Equal((WellKnownRole_Anonymous, 0u), Single(Rule("O")));
        Assert.False(_space.Nodes.HasAccessRule(Find("Empty")));
    }

    [Fact]
    public void LoadFile_NamespaceMetadata_HoldsAndIsForAdministratorsAlone()
    {
        Load("""AccessRestrictions="1" """, Object("O", "") + Metadata(Uri, Permission(15668, 1)));
        Assert.Equal((WellKnownRole_Observer, 1u), Single(Rule("O")));
        Assert.Equal(AccessRestrictionType.EncryptionRequired, Rule("O").Restrictions);
        var guarded = Rule("Metadata.DefaultRolePermissions").RolePermissions!;
        Assert.Equal(
            [new NodeId(WellKnownRole_SecurityAdmin), new NodeId(WellKnownRole_ConfigureAdmin)],
            guarded.Where(entry => (entry.Permissions & PermissionType.Read) != 0).Select(entry => entry.RoleId));
        Assert.Equal(
            PermissionType.Browse,
            Assert.Single(guarded, entry => entry.RoleId == new NodeId(WellKnownRole_Anonymous)).Permissions);
    }

    [Fact]
    public void LoadFile_NamespaceMetadataOfUnreadableEntries_GrantsNothing()
    {
        Load("", Object("O", "") + Metadata(Uri, """
            <ExtensionObject><TypeId><Identifier>i=885</Identifier></TypeId>
              <Body><Range><Low>1</Low><High>2</High></Range></Body></ExtensionObject>
            """));
        Assert.Empty(Rule("O").RolePermissions!);
    }

    [Theory]
    [InlineData("http://opcfoundation.org/UA/")]
    [InlineData("urn:test:server")]
    [InlineData("urn:unknown")]
    public void LoadFile_NamespaceMetadataForAnothersNamespace_IsNotListenedTo(string uri)
    {
        Load("", Object("O", "") + Metadata(uri, Permission(15668, 0x1FFFF)));
        Assert.False(_space.Nodes.HasAccessRule(Find("O")));
        Assert.False(_space.Nodes.HasAccessRule(_space.Nodes.Find(new NodeId(ObjectsFolder))));
    }

    private static (uint Role, uint Permissions) Single(AccessRule rule)
    {
        var entry = Assert.Single(rule.RolePermissions!);
        return (entry.RoleId.Numeric, (uint)entry.Permissions);
    }

    private static string Permissions(string role, uint permissions) =>
        $"<RolePermissions><RolePermission Permissions=\"{permissions}\">{role}</RolePermission></RolePermissions>";

    private static string Permission(uint role, uint permissions) =>
        $"""
        <ExtensionObject><TypeId><Identifier>i=16126</Identifier></TypeId><Body><RolePermissionType>
        <RoleId><Identifier>i={role}</Identifier></RoleId><Permissions>{permissions}</Permissions>
        </RolePermissionType></Body></ExtensionObject>
        """;

    private static string Object(string name, string parts, string attributes = "") =>
        $"""
        <UAObject NodeId="ns=1;s={name}" BrowseName="1:{name}" {attributes}>
          <References><Reference ReferenceType="i=40">i=58</Reference></References>{parts}
        </UAObject>
        """;

    private static string Metadata(string uri, string permissions) =>
        $"""
        <UAObject NodeId="ns=1;s=Metadata" BrowseName="1:Metadata"><References>
          <Reference ReferenceType="i=40">i=11616</Reference>
          <Reference ReferenceType="i=47" IsForward="false">i=11715</Reference></References></UAObject>
        {Property("NamespaceUri", 12, -1, $"<String>{uri}</String>")}
        {Property("DefaultAccessRestrictions", 95, -1, "<UInt16>2</UInt16>")}
        {Property("DefaultRolePermissions", 96, 1, $"<ListOfExtensionObject>{permissions}</ListOfExtensionObject>")}
        """;

    private static string Property(string name, uint type, int rank, string value) =>
        $"""
        <UAVariable NodeId="ns=1;s=Metadata.{name}" BrowseName="{name}" DataType="i={type}" ValueRank="{rank}">
          <References><Reference ReferenceType="i=40">i=68</Reference>
          <Reference ReferenceType="i=46" IsForward="false">ns=1;s=Metadata</Reference></References>
          <Value>{value.Replace("<", "<t:", StringComparison.Ordinal).Replace("<t:/", "</t:", StringComparison.Ordinal)}
          </Value>
        </UAVariable>
        """;

    private NodeHandle Find(string name) => _space.Nodes.Find(new NodeId(name, 2));

    private AccessRule Rule(string name)
    {
        Assert.True(_space.Nodes.HasAccessRule(Find(name)));
        return _space.Nodes.GetAccessRule(Find(name));
    }

    private void Load(string model, string nodes, string aliases = "")
    {
        var path = Path.Combine(_folder, "test.xml");
        File.WriteAllText(path, $"""
            <UANodeSet xmlns="http://opcfoundation.org/UA/2011/03/UANodeSet.xsd"
                       xmlns:t="http://opcfoundation.org/UA/2008/02/Types.xsd">
            <NamespaceUris><Uri>{Uri}</Uri></NamespaceUris>
            <Models><Model ModelUri="{Uri}" {model}></Model></Models>
            <Aliases>{aliases}</Aliases>
            {nodes}
            </UANodeSet>
            """);
        new NodeSetImporter(_space.Nodes, _space.Values, _space.Source, NodeSetLimits.Default).LoadFile(path);
    }
}
