using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>Nodes that go and come back while a WebSocket watches them, and nodes that its user may not see, or may no
/// longer (R16, R36).</summary>
[Collection(RestFixture.Name)]
public sealed class LiveNodeTests(RestFixture fixture)
{
    private static readonly RolePermissionType[] EngineerOnly =
    [
        new()
        {
            RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Engineer),
            Permissions = PermissionType.Browse | PermissionType.Read | PermissionType.Write,
        },
    ];

    private readonly NodeTable _nodes = fixture.Gateway.Host.Get<NodeTable>();

    private RestGateway Gateway => fixture.Gateway;

    [Fact]
    public async Task Subscribe_NodeGoesAndComesBack_StatusThenValues()
    {
        Add("Visitor");
        Gateway.Set("Visitor", new Variant(1));
        using var client = await OpenAsync(Gateway.Observer, "Visitor");
        Assert.Equal(1, await client.NumberAsync());

        _nodes.Apply(new NodeBatch().Remove(Find("Visitor")));
        var gone = (await client.NextAsync()).GetProperty("values")[0];
        Assert.Equal("BadNodeIdUnknown", gone.GetProperty("status").GetString());
        Assert.False(gone.TryGetProperty("value", out _));

        Add("Visitor");
        Gateway.Set("Visitor", new Variant(2));
        JsonElement back;
        do
        {
            back = (await client.NextAsync()).GetProperty("values")[0];
        }
        while (back.GetProperty("status").GetString() != "Good");
        Assert.Equal(2, back.GetProperty("value").GetInt32());
    }

    [Fact]
    public async Task Subscribe_HiddenNode_IsAnsweredAsOneThatIsNotThere()
    {
        Add("Pay", EngineerOnly);
        Gateway.Set("Pay", new Variant(1));
        using var engineer = await OpenAsync(Gateway.Engineer, "Pay");
        Assert.Equal(1, await engineer.NumberAsync());
        using var observer = await LiveClient.OpenAsync(Gateway, Gateway.Observer);

        var hidden = await observer.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Pay"]}""");
        var unknown = await observer.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=Yap"]}""");

        Assert.Contains("BadNodeIdUnknown", hidden.GetRawText(), StringComparison.Ordinal);
        Assert.Equal(
            unknown.GetRawText().Replace("Yap", "Pay", StringComparison.Ordinal), hidden.GetRawText());
    }

    [Fact]
    public async Task Subscribe_NodeHiddenWhileItIsWatched_BringsItsStatusAndNoValueAnyMore()
    {
        Add("Fee");
        Gateway.Set("Fee", new Variant(1));
        using var client = await OpenAsync(Gateway.Observer, "Fee");
        Assert.Equal(1, await client.NumberAsync());

        _nodes.Apply(new NodeBatch().Update(Find("Fee"), Define("Fee", EngineerOnly)));

        var hidden = (await client.NextAsync()).GetProperty("values")[0];
        Assert.Equal("BadNodeIdUnknown", hidden.GetProperty("status").GetString());
        Gateway.Set("Fee", new Variant(2));
        var answer = await client.AskAsync("""{"op":"ping"}""");
        Assert.Equal("pong", answer.GetProperty("op").GetString());
    }

    private async Task<LiveClient> OpenAsync(HttpClient user, string node)
    {
        var client = await LiveClient.OpenAsync(Gateway, user);
        await client.AskAsync($$"""{"op":"subscribe","nodes":["ns=2;s={{node}}"],"interval":20}""");
        return client;
    }

    private static NodeDefinition Define(string name, RolePermissionType[]? permissions) => new()
    {
        NodeId = new NodeId(name, 2),
        NodeClass = NodeClass.Variable,
        BrowseName = new QualifiedName(name, 2),
        Variable = new VariableFacts(
            new NodeId(StandardIds.DataTypes.Int32), AccessLevel: AccessLevelExType.CurrentRead),
        RolePermissions = permissions,
    };

    private void Add(string name, RolePermissionType[]? permissions = null) => _nodes.Apply(new NodeBatch()
        .AddNode(Define(name, permissions))
        .AddReference(
            new NodeId(StandardIds.Objects.ObjectsFolder), new NodeId(StandardIds.ReferenceTypes.Organizes),
            new NodeId(name, 2)));

    private NodeHandle Find(string name) => _nodes.Find(new NodeId(name, 2));
}
