using System.Net.Http.Headers;
using System.Text;
using System.Text.RegularExpressions;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Tests.Rest;

/// <summary>A variable and a method that only an Engineer may see, through every path of the resource API: whoever may
/// not see them gets the answer of nodes that are not there (R36).</summary>
[Collection(RestFixture.Name)]
public sealed partial class HiddenNodeTests
{
    private const PermissionType Everything =
        PermissionType.Browse | PermissionType.Read | PermissionType.Write | PermissionType.Call;

    private const string Secret = "Combination-77421";

    private readonly RestGateway _gateway;

    public HiddenNodeTests(RestFixture fixture)
    {
        _gateway = fixture.Gateway;
        var nodes = _gateway.Host.Get<NodeTable>();
        if (!nodes.Find(new NodeId("Vault", 2)).IsNone)
            return;
        var facts = new VariableFacts(
            new NodeId(StandardIds.DataTypes.String),
            AccessLevel: AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite);
        nodes.Apply(new NodeBatch()
            .AddNode(Hidden("Vault", NodeClass.Variable) with { Variable = facts })
            .AddReference(Objects, Organizes, new NodeId("Vault", 2))
            .AddNode(Hidden("Unlock", NodeClass.Method))
            .AddReference(new NodeId("Methods", 2), HasComponent, new NodeId("Unlock", 2))
            .AddNode(Hidden("CipherType", NodeClass.ObjectType))
            .AddReference(
                new NodeId(StandardIds.ObjectTypes.BaseObjectType),
                new NodeId(StandardIds.ReferenceTypes.HasSubtype), new NodeId("CipherType", 2)));
        _gateway.Host.Get<ValueStore>().Set(
            nodes.Find(new NodeId("Vault", 2)), new DataValue(new Variant(Secret)));
    }

    private static NodeId Objects => new(StandardIds.Objects.ObjectsFolder);

    private static NodeId Organizes => new(StandardIds.ReferenceTypes.Organizes);

    private static NodeId HasComponent => new(StandardIds.ReferenceTypes.HasComponent);

    /// <summary>Method, path with <c>{0}</c> for the node, body with <c>{0}</c>, Accept.</summary>
    public static TheoryData<string, string, string, string> Paths => new()
    {
        { "GET", "/api/v1/values?node=ns%3D2%3Bs%3D{0}", "", "application/json" },
        { "GET", "/api/v1/values?node=ns%3D2%3Bs%3D{0}", "", "text/csv" },
        { "GET", "/api/v1/values?node=%2FObjects%2F2%3A{0}", "", "application/json" },
        { "POST", "/api/v1/values/read", """{"nodes":["ns=2;s={0}"]}""", "application/json" },
        { "PUT", "/api/v1/values", """{"values":[{"node":"ns=2;s={0}","value":7}]}""", "application/json" },
        { "GET", "/api/v1/nodes/ns=2;s={0}", "", "application/json" },
        { "GET", "/api/v1/nodes/ns=2;s={0}/children", "", "application/json" },
        { "GET", "/api/v1/nodes/ns=2;s={0}/children?cursor=1", "", "application/json" },
        { "GET", "/api/v1/search?q=x&type=ns%3D2%3Bs%3D{0}", "", "application/json" },
        { "GET", "/api/v1/trace?node=ns%3D2%3Bs%3D{0}", "", "application/json" },
        { "GET", "/api/v1/trace?node=%2FObjects%2F2%3A{0}", "", "application/json" },
        { "GET", "/api/v1/events?source=ns%3D2%3Bs%3D{0}", "", "application/json" },
        { "POST", "/api/v1/call", """{"object":"ns=2;s=Methods","method":"ns=2;s={0}"}""", "application/json" },
        { "POST", "/api/v1/call", """{"object":"ns=2;s={0}","method":"ns=2;s=Add"}""", "application/json" },
    };

    [Theory]
    [MemberData(nameof(Paths))]
    public async Task HiddenNode_EveryPath_AnsweredAsOneThatIsNotThere(
        string method, string path, string body, string accept)
    {
        foreach (var client in new[] { _gateway.Observer, _gateway.Operator })
        {
            foreach (var hidden in new[] { "Vault", "Unlock" })
            {
                var told = await AskAsync(client, method, path, body, accept, hidden);
                var unknown = await AskAsync(client, method, path, body, accept, "Ghost");

                Assert.DoesNotContain(Secret, told, StringComparison.Ordinal);
                Assert.Equal(unknown.Replace("Ghost", hidden, StringComparison.Ordinal), told);
            }
        }
    }

    [Theory]
    [InlineData("/api/v1/nodes/i=85/children?limit=1000")]
    [InlineData("/api/v1/nodes/ns=2;s=Methods/children")]
    [InlineData("/api/v1/search?q=Vault")]
    [InlineData("/api/v1/search?q=Unlock")]
    public async Task HiddenNode_InLists_IsThereForTheEngineerOnly(string path)
    {
        Assert.Matches("Vault|Unlock", await _gateway.Engineer.GetStringAsync(path));
        foreach (var client in new[] { _gateway.Observer, _gateway.Operator })
        {
            var list = await client.GetStringAsync(path);
            Assert.DoesNotContain("Vault", list, StringComparison.Ordinal);
            Assert.DoesNotContain("Unlock", list, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task HiddenType_ByItsName_IsThereForTheEngineerOnly()
    {
        const string path = "/api/v1/search?q=x&type={0}";
        Assert.StartsWith(
            "200", await AskAsync(_gateway.Engineer, "GET", path, "", "application/json", "CipherType"),
            StringComparison.Ordinal);
        foreach (var client in new[] { _gateway.Observer, _gateway.Operator })
            Assert.Equal(
                await AskAsync(client, "GET", path, "", "application/json", "GhostType"),
                await AskAsync(client, "GET", path, "", "application/json", "CipherType"));
    }

    [Fact]
    public async Task HiddenNode_ForTheEngineer_IsRead()
    {
        var told = await AskAsync(
            _gateway.Engineer, "GET", "/api/v1/values?node=ns%3D2%3Bs%3D{0}", "", "text/csv", "Vault");

        Assert.Contains(Secret, told, StringComparison.Ordinal);
    }

    private static NodeDefinition Hidden(string name, NodeClass nodeClass) => new()
    {
        NodeId = new NodeId(name, 2),
        NodeClass = nodeClass,
        BrowseName = new QualifiedName(name, 2),
        RolePermissions =
        [
            new RolePermissionType
            {
                RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Engineer), Permissions = Everything,
            },
        ],
    };

    /// <summary>Status and body, without times.</summary>
    private static async Task<string> AskAsync(
        HttpClient client, string method, string path, string body, string accept, string node)
    {
        using var request = new HttpRequestMessage(
            new HttpMethod(method), path.Replace("{0}", node, StringComparison.Ordinal));
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue(accept));
        if (body.Length > 0)
            request.Content = new StringContent(
                body.Replace("{0}", node, StringComparison.Ordinal), Encoding.UTF8, "application/json");
        using var answer = await client.SendAsync(request);
        return $"{(int)answer.StatusCode} {Time().Replace(await answer.Content.ReadAsStringAsync(), "…")}";
    }

    [GeneratedRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")]
    private static partial Regex Time();
}
