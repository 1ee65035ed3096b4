using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Tests.Rest;

/// <summary>Streams to nodes that go and come back, and to nodes that the user may not see, or may no longer (R16,
/// R36).</summary>
[Collection(RestFixture.Name)]
public sealed class StreamNodeTests(RestFixture fixture)
{
    private const PermissionType Everything = PermissionType.Browse | PermissionType.Read | PermissionType.Write;

    private readonly RestGateway _gateway = fixture.Gateway;
    private readonly NodeTable _nodes = fixture.Gateway.Host.Get<NodeTable>();

    [Fact]
    public async Task Stream_NodeRemovedAndBack_SaysSoAndGoesOn()
    {
        Add("Guest");
        _gateway.Set("Guest", new Variant("here"));
        using var stream = await OpenAsync("Guest");
        Assert.Contains("\"value\":\"here\"", await stream.TextAsync(), StringComparison.Ordinal);

        _nodes.Apply(new NodeBatch().Remove(Find("Guest")));
        Assert.Contains("\"status\":\"BadNodeIdUnknown\"", await stream.TextAsync(), StringComparison.Ordinal);
        Add("Guest");
        _gateway.Set("Guest", new Variant("back"));

        for (var text = ""; !text.Contains("\"value\":\"back\"", StringComparison.Ordinal);)
            text = await stream.TextAsync();
    }

    [Fact]
    public async Task Stream_HiddenNode_IsAnsweredAsOneThatIsNotThere()
    {
        Add("Salary", WellKnownEngineer);
        _gateway.Set("Salary", new Variant("Secret-1"));
        using var engineer = await OpenAsync("Salary", _gateway.Engineer);
        Assert.Contains("Secret-1", await engineer.TextAsync(), StringComparison.Ordinal);
        foreach (var client in new[] { _gateway.Observer, _gateway.Operator })
        {
            using var hidden = await OpenAsync("Salary", client);
            using var unknown = await OpenAsync("Ghost", client);

            Assert.Equal(
                (await unknown.TextAsync()).Replace("Ghost", "Salary", StringComparison.Ordinal),
                await hidden.TextAsync());
        }
    }

    [Fact]
    public async Task Stream_NodeHiddenInMidStream_BringsItsStatusAndNoValueAnyMore()
    {
        Add("Wage");
        _gateway.Set("Wage", new Variant("Open-1"));
        _gateway.Set("Int64", new Variant(1L));
        using var stream = await EventReader.OpenAsync(
            _gateway.Observer, "interval=50", ["ns=2;s=Wage", "ns=2;s=Int64"]);
        Assert.Contains("Open-1", await stream.TextAsync(), StringComparison.Ordinal);

        Restrict("Wage");
        Assert.Contains("\"status\":\"BadNodeIdUnknown\"", await stream.TextAsync(), StringComparison.Ordinal);
        _gateway.Set("Wage", new Variant("Secret-2"));
        _gateway.Set("Int64", new Variant(2L));

        for (var text = ""; !text.Contains("\"value\":2", StringComparison.Ordinal);)
        {
            text = await stream.TextAsync();
            Assert.DoesNotContain("Secret", text, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Stream_NodeHiddenWhileTheClientWasAway_HistoryIsNotSent()
    {
        Add("Bonus");
        _gateway.Set("Bonus", new Variant("Open-1"));
        string id;
        using (var stream = await OpenAsync("Bonus"))
        {
            id = (await stream.NextAsync()).Id;
            _gateway.Set("Bonus", new Variant("Secret-2"));
            Assert.Contains("Secret-2", await stream.TextAsync(), StringComparison.Ordinal);
        }

        Restrict("Bonus");
        using var again = await EventReader.OpenAsync(_gateway.Observer, "interval=50", ["ns=2;s=Bonus"], id);

        var (next, json) = await again.NextAsync();
        Assert.StartsWith(id.Split('-')[0], next, StringComparison.Ordinal);
        Assert.Contains("\"status\":\"BadNodeIdUnknown\"", json.GetRawText(), StringComparison.Ordinal);
        Assert.DoesNotContain("Secret", json.GetRawText(), StringComparison.Ordinal);
    }

    private static RolePermissionType[] WellKnownEngineer =>
    [
        new() { RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Engineer), Permissions = Everything },
    ];

    private static NodeDefinition Define(string name, RolePermissionType[]? permissions) => new()
    {
        NodeId = new NodeId(name, 2),
        NodeClass = NodeClass.Variable,
        BrowseName = new QualifiedName(name, 2),
        Variable = new VariableFacts(
            new NodeId(StandardIds.DataTypes.String), AccessLevel: AccessLevelExType.CurrentRead),
        RolePermissions = permissions,
    };

    private void Add(string name, RolePermissionType[]? permissions = null) => _nodes.Apply(new NodeBatch()
        .AddNode(Define(name, permissions))
        .AddReference(
            new NodeId(StandardIds.Objects.ObjectsFolder), new NodeId(StandardIds.ReferenceTypes.Organizes),
            new NodeId(name, 2)));

    private void Restrict(string name) =>
        _nodes.Apply(new NodeBatch().Update(Find(name), Define(name, WellKnownEngineer)));

    private NodeHandle Find(string name) => _nodes.Find(new NodeId(name, 2));

    private Task<EventReader> OpenAsync(string node, HttpClient? client = null) =>
        EventReader.OpenAsync(client ?? _gateway.Observer, "interval=50", ["ns=2;s=" + node]);
}
