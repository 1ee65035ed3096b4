using Gateway.AddressSpace.Import;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Access.Matrix;

/// <summary>
/// NodeSet2 files made here, with one variable, one object and one method for each kind of rule: their RolePermissions
/// and AccessRestrictions come the way those of a user's files do. All kinds of one file lie below its folder.
/// </summary>
internal static class RightsModel
{
    public const int Value = 7;

    private const string OwnUri = "urn:test:rights";
    private const string ModelUri = "urn:test:rights:model";
    private const string MetadataUri = "urn:test:rights:metadata";
    private const string OperatorReads = "i=15680:33";
    private const string EngineerAll = "i=16036:59391";

    /// <summary>Rules of the variable, of the object and of the method.</summary>
    private static readonly (string Kind, string Rule)[] Own =
    [
        ("open", ""),
        ("hidden", "i=15704:65535"),
        ("readonly", $"{OperatorReads} i=16036:65535"),
        ("signing", "restrict=1"),
        ("encryption", "restrict=2"),
        ("both", "restrict=3"),
        ("session", "restrict=4"),
        ("browse", "restrict=11"),
        ("browsesign", "restrict=9"),
        ("adminsecret", "i=15704:65535 restrict=3"),
        ("everyone", "i=15644:1 i=15656:33 i=18625:4097"),
        ("foreign", "i=25565:65535 i=999999:65535"),
        ("nobody", "none"),
        ("empty", "[]"),
    ];

    public static IReadOnlyList<string> Kinds { get; } =
        [.. Own.Select(one => one.Kind), "objectdenies", "methoddenies", "bymodel", "bymetadata", "overridden"];

    public static NodeId Folder(ServerFixture fixture, string kind) => new("Folder", Index(fixture, kind));

    public static NodeId Variable(ServerFixture fixture, string kind) => new("V." + kind, Index(fixture, kind));

    public static NodeId Object(ServerFixture fixture, string kind) => new("O." + kind, Index(fixture, kind));

    public static NodeId Method(ServerFixture fixture, string kind) => new("M." + kind, Index(fixture, kind));

    public static NodeId Unknown(ServerFixture fixture) => new("NoSuchNode", Index(fixture, "open"));

    public static void Load(ServerFixture fixture)
    {
        var folder = Directory.CreateTempSubdirectory("rights").FullName;
        try
        {
            var own = string.Concat(Own.Select(one => Nodes(one.Kind, one.Rule, one.Rule, one.Rule))) +
                Nodes("objectdenies", "", "i=15668:1", "") + Nodes("methoddenies", "", "", "i=15668:1");
            Write(folder, "own", OwnUri, "", own);
            Write(folder, "model", ModelUri, $"{OperatorReads} {EngineerAll} restrict=1", Nodes("bymodel", "", "", ""));
            Write(
                folder, "metadata", MetadataUri, "",
                Nodes("bymetadata", "", "", "") +
                Nodes("overridden", "i=15668:33 restrict=0", "i=15668:4097 restrict=0", "i=15668:4097 restrict=0") +
                Metadata);
            var importer = new NodeSetImporter(fixture.Nodes, fixture.Values, fixture.Store, NodeSetLimits.Default);
            foreach (var result in importer.LoadFolder(folder))
                Assert.Empty(result.Warnings);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        foreach (var kind in Kinds)
            fixture.Nodes.SetSource(fixture.Find(Method(fixture, kind)), fixture.Source);
    }

    private static ushort Index(ServerFixture fixture, string kind)
    {
        var uri = kind switch
        {
            "bymodel" => ModelUri,
            "bymetadata" or "overridden" => MetadataUri,
            _ => OwnUri,
        };
        Assert.True(fixture.Nodes.Namespaces.TryGetIndex(uri, out var index));
        return index;
    }

    private static string Nodes(string kind, string ofVariable, string ofObject, string ofMethod) =>
        $"""
        <UAVariable NodeId="ns=1;s=V.{kind}" BrowseName="1:V.{kind}" DataType="i=6" AccessLevel="3"
                    {Restriction(ofVariable)}>
          <References>
            <Reference ReferenceType="i=40">i=63</Reference>
            <Reference ReferenceType="i=47" IsForward="false">ns=1;s=Folder</Reference>
          </References>
          {Permissions(ofVariable)}
          <Value><Int32 xmlns="http://opcfoundation.org/UA/2008/02/Types.xsd">{Value}</Int32></Value>
        </UAVariable>
        <UAObject NodeId="ns=1;s=O.{kind}" BrowseName="1:O.{kind}" {Restriction(ofObject)}>
          <References>
            <Reference ReferenceType="i=40">i=58</Reference>
            <Reference ReferenceType="i=35" IsForward="false">ns=1;s=Folder</Reference>
          </References>
          {Permissions(ofObject)}
        </UAObject>
        <UAMethod NodeId="ns=1;s=M.{kind}" BrowseName="1:M.{kind}" {Restriction(ofMethod)}>
          <References>
            <Reference ReferenceType="i=47" IsForward="false">ns=1;s=O.{kind}</Reference>
          </References>
          {Permissions(ofMethod)}
        </UAMethod>
        """;

    private static string Restriction(string rule) => rule switch
    {
        "none" => "HasNoPermissions=\"true\"",
        _ when rule.IndexOf("restrict=", StringComparison.Ordinal) is >= 0 and var at =>
            $"AccessRestrictions=\"{rule[(at + 9)..]}\"",
        _ => "",
    };

    private static string Permissions(string rule)
    {
        if (rule == "[]")
            return "<RolePermissions />";
        var entries = rule.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Where(entry => entry.StartsWith("i=", StringComparison.Ordinal))
            .Select(entry => entry.Split(':'))
            .Select(entry => $"<RolePermission Permissions=\"{entry[1]}\">{entry[0]}</RolePermission>").ToArray();
        return entries.Length == 0 ? "" : $"<RolePermissions>{string.Concat(entries)}</RolePermissions>";
    }

    /// <summary>Read for operators and all for engineers, over encrypted channels.</summary>
    private static string Metadata =>
        $"""
        <UAObject NodeId="ns=1;s=Metadata" BrowseName="1:{MetadataUri}">
          <References>
            <Reference ReferenceType="i=40">i=11616</Reference>
            <Reference ReferenceType="i=47" IsForward="false">i=11715</Reference>
          </References>
        </UAObject>
        {Property("NamespaceUri", "i=12", -1, $"<String>{MetadataUri}</String>")}
        {Property("DefaultAccessRestrictions", "i=95", -1, "<UInt16>2</UInt16>")}
        {Property("DefaultRolePermissions", "i=96", 1, $"""
            <ListOfExtensionObject>{Entry(15680, 33)}{Entry(16036, 65535)}</ListOfExtensionObject>
            """)}
        """;

    private static string Property(string name, string dataType, int rank, string value) =>
        $"""
        <UAVariable NodeId="ns=1;s=Metadata.{name}" BrowseName="{name}" DataType="{dataType}" ValueRank="{rank}">
          <References>
            <Reference ReferenceType="i=40">i=68</Reference>
            <Reference ReferenceType="i=46" IsForward="false">ns=1;s=Metadata</Reference>
          </References>
          <Value>{value.Replace("<", "<t:", StringComparison.Ordinal).Replace("<t:/", "</t:", StringComparison.Ordinal)}
          </Value>
        </UAVariable>
        """;

    private static string Entry(uint role, uint permissions) =>
        $"""
        <ExtensionObject><TypeId><Identifier>i=16126</Identifier></TypeId><Body><RolePermissionType>
        <RoleId><Identifier>i={role}</Identifier></RoleId><Permissions>{permissions}</Permissions>
        </RolePermissionType></Body></ExtensionObject>
        """;

    private static void Write(string folder, string name, string uri, string model, string nodes) => File.WriteAllText(
        Path.Combine(folder, name + ".xml"),
        $"""
        <UANodeSet xmlns="http://opcfoundation.org/UA/2011/03/UANodeSet.xsd"
                   xmlns:t="http://opcfoundation.org/UA/2008/02/Types.xsd">
        <NamespaceUris><Uri>{uri}</Uri></NamespaceUris>
        <Models><Model ModelUri="{uri}" {Restriction(model)}>{Permissions(model)}</Model></Models>
        <UAObject NodeId="ns=1;s=Folder" BrowseName="1:Folder"><References>
          <Reference ReferenceType="i=40">i=61</Reference>
          <Reference ReferenceType="i=35" IsForward="false">i=85</Reference>
        </References><RolePermissions><RolePermission Permissions="4097">i=15644</RolePermission></RolePermissions>
        </UAObject>
        {nodes}
        </UANodeSet>
        """);
}
