using System.Text.RegularExpressions;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Services;

/// <summary>A variable that only an Engineer may see, through every service without a session: for others it is not
/// there (R36).</summary>
[Collection(RestFixture.Name)]
public sealed partial class HiddenFromServicesTests
{
    private const string Secret = "Combination-30092";

    private readonly RestGateway _gateway;

    public HiddenFromServicesTests(RestFixture fixture)
    {
        _gateway = fixture.Gateway;
        var nodes = _gateway.Host.Get<NodeTable>();
        var id = new NodeId("Safe", 2);
        if (!nodes.Find(id).IsNone)
            return;
        nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = id,
                NodeClass = NodeClass.Variable,
                BrowseName = new QualifiedName("Safe", 2),
                Variable = new VariableFacts(new NodeId(StandardIds.DataTypes.String)),
                RolePermissions =
                [
                    new RolePermissionType
                    {
                        RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Engineer),
                        Permissions = PermissionType.Browse | PermissionType.Read,
                    },
                ],
            })
            .AddReference(
                new NodeId("Methods", 2), new NodeId(StandardIds.ReferenceTypes.HasComponent), id));
        _gateway.Host.Get<ValueStore>().Set(nodes.Find(id), new DataValue(new Variant(Secret)));
    }

    [Theory]
    [InlineData("read", """{"NodesToRead":[{"NodeId":"ns=2;s=Safe","AttributeId":13}]}""")]
    [InlineData("read", """{"NodesToRead":[{"NodeId":"ns=2;s=Safe","AttributeId":3}]}""")]
    [InlineData("browse", """{"NodesToBrowse":[{"NodeId":"ns=2;s=Safe","BrowseDirection":2,"ResultMask":63}]}""")]
    [InlineData("browse", """{"NodesToBrowse":[{"NodeId":"ns=2;s=Methods","ResultMask":63}]}""")]
    [InlineData(
        "translate",
        """
        {"BrowsePaths":[{"StartingNode":"ns=2;s=Methods","RelativePath":{"Elements":[
          {"ReferenceTypeId":"i=47","TargetName":"2:Safe"}]}}]}
        """)]
    [InlineData(
        "write",
        """{"NodesToWrite":[{"NodeId":"ns=2;s=Safe","AttributeId":13,"Value":{"UaType":12,"Value":"x"}}]}""")]
    [InlineData("call", """{"MethodsToCall":[{"ObjectId":"ns=2;s=Safe","MethodId":"ns=2;s=Add"}]}""")]
    public async Task HiddenNode_EveryService_AnsweredAsOneThatIsNotThere(string service, string body)
    {
        var told = await AskAsync(_gateway.Operator, service, body);
        var unknown = await AskAsync(
            _gateway.Operator, service, body.Replace("Safe", "Ghost", StringComparison.Ordinal));

        Assert.DoesNotContain(Secret, told, StringComparison.Ordinal);
        Assert.DoesNotContain("Safe", told, StringComparison.Ordinal);
        Assert.Equal(unknown, told);
    }

    [Fact]
    public async Task HiddenNode_ForTheEngineer_IsRead()
    {
        var told = await AskAsync(
            _gateway.Engineer, "read", """{"NodesToRead":[{"NodeId":"ns=2;s=Safe","AttributeId":13}]}""");

        Assert.True(told.Contains(Secret, StringComparison.Ordinal), told);
    }

    /// <summary>Status and body, without times.</summary>
    private static async Task<string> AskAsync(HttpClient client, string service, string body)
    {
        using var answer = await client.SendAsync(service, body);
        return $"{(int)answer.StatusCode} {Time().Replace(await answer.Content.ReadAsStringAsync(), "\"…\"")}";
    }

    [GeneratedRegex("\"[0-9]{4}-[0-9]{2}-[^\"]*Z\"")]
    private static partial Regex Time();
}
