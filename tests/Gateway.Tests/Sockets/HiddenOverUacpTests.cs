using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>The nodes that only an Engineer may see, over <c>opcua+uacp</c>: for others they are not there (R36).
/// </summary>
[Collection(RestFixture.Name)]
public sealed class HiddenOverUacpTests : IDisposable
{
    private const string Unknown = "Ghost";

    private readonly RestGateway _gateway;
    private readonly UaClient _client = new(new ClientOptions { ConnectTimeout = Patience.Limit });

    public HiddenOverUacpTests(RestFixture fixture)
    {
        _gateway = fixture.Gateway;
        HiddenNodes.AddTo(_gateway);
    }

    public void Dispose() => _client.Dispose();

    [Theory]
    [InlineData("observer")]
    [InlineData("operator")]
    public async Task Services_HiddenNode_AreAnsweredAsForOneThatIsNotThere(string user)
    {
        await using var session = await ConnectAsync(user);
        foreach (var hidden in new[] { HiddenNodes.Variable, HiddenNodes.Method })
        {
            Assert.Equal(await ReadAsync(session, Unknown, 13), await ReadAsync(session, hidden, 13));
            Assert.Equal(await ReadAsync(session, Unknown, 3), await ReadAsync(session, hidden, 3));
            Assert.Equal(await WriteAsync(session, Unknown), await WriteAsync(session, hidden));
            Assert.Equal(await BrowseAsync(session, Unknown), await BrowseAsync(session, hidden));
            Assert.Equal(await TranslateAsync(session, Unknown), await TranslateAsync(session, hidden));
            Assert.Equal(await CallAsync(session, Unknown), await CallAsync(session, hidden));
            Assert.Equal(await WatchAsync(session, Unknown), await WatchAsync(session, hidden));
        }

        Assert.DoesNotContain(HiddenNodes.Variable, await ChildrenAsync(session, new NodeId(85)));
        Assert.DoesNotContain(HiddenNodes.Method, await ChildrenAsync(session, new NodeId("Methods", 2)));
    }

    /// <summary>The test above would see it.</summary>
    [Fact]
    public async Task Services_Engineer_SeesThem()
    {
        await using var session = await ConnectAsync("engineer");

        Assert.Equal(
            (StatusCode.Good, new Variant(HiddenNodes.Secret)), await ReadAsync(session, HiddenNodes.Variable, 13));
        Assert.Equal(StatusCode.Good, await BrowseAsync(session, HiddenNodes.Variable));
        Assert.Equal(StatusCode.Good, await WatchAsync(session, HiddenNodes.Variable));
        Assert.Contains(HiddenNodes.Variable, await ChildrenAsync(session, new NodeId(85)));
        Assert.Contains(HiddenNodes.Method, await ChildrenAsync(session, new NodeId("Methods", 2)));
    }

    private async Task<ClientSession> ConnectAsync(string user) => await _client.ConnectAsync(new ConnectSettings
    {
        EndpointUrl = new UriBuilder(_gateway.Host.Client.BaseAddress!) { Scheme = "opc.ws", Path = "/opcua" }
            .Uri.ToString(),
        SecurityPolicyUri = "http://opcfoundation.org/UA/SecurityPolicy#None",
        SecurityMode = MessageSecurityMode.None,
        Identity = ClientIdentity.UserName(user, "horse"),
        AllowInsecureCredentials = true,
    });

    private static async Task<(StatusCode Status, Variant Value)> ReadAsync(
        ClientSession session, string node, uint attribute)
    {
        var response = await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = new NodeId(node, 2), AttributeId = attribute }],
        });
        return (response.Results![0].Status, response.Results[0].Value);
    }

    private static async Task<StatusCode> WriteAsync(ClientSession session, string node)
    {
        var response = await session.InvokeAsync<WriteRequest, WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = new NodeId(node, 2), AttributeId = 13, Value = new DataValue(new Variant("x")),
                },
            ],
        });
        return response.Results![0];
    }

    private static async Task<StatusCode> BrowseAsync(ClientSession session, string node) =>
        (await BrowseAsync(session, new NodeId(node, 2))).StatusCode;

    private static async Task<IEnumerable<string?>> ChildrenAsync(ClientSession session, NodeId node) =>
        (await BrowseAsync(session, node)).References!.Select(one => one.BrowseName.Name);

    private static async Task<BrowseResult> BrowseAsync(ClientSession session, NodeId node)
    {
        var response = await session.InvokeAsync<BrowseRequest, BrowseResponse>(new BrowseRequest
        {
            NodesToBrowse = [new BrowseDescription { NodeId = node, ResultMask = 63 }],
        });
        return response.Results![0];
    }

    private static async Task<StatusCode> TranslateAsync(ClientSession session, string node)
    {
        var response = await session
            .InvokeAsync<TranslateBrowsePathsToNodeIdsRequest, TranslateBrowsePathsToNodeIdsResponse>(
                new TranslateBrowsePathsToNodeIdsRequest
                {
                    BrowsePaths =
                    [
                        new BrowsePath
                        {
                            StartingNode = new NodeId(85),
                            RelativePath = new RelativePath
                            {
                                Elements =
                                [
                                    new RelativePathElement
                                    {
                                        ReferenceTypeId = new NodeId(35), TargetName = new QualifiedName(node, 2),
                                    },
                                ],
                            },
                        },
                    ],
                });
        return response.Results![0].StatusCode;
    }

    private static async Task<StatusCode> CallAsync(ClientSession session, string node)
    {
        var response = await session.InvokeAsync<CallRequest, CallResponse>(new CallRequest
        {
            MethodsToCall =
            [
                new CallMethodRequest { ObjectId = new NodeId("Methods", 2), MethodId = new NodeId(node, 2) },
            ],
        });
        return response.Results![0].StatusCode;
    }

    private static async Task<StatusCode> WatchAsync(ClientSession session, string node)
    {
        var subscription = await session.CreateSubscriptionAsync(new SubscriptionSettings(), new Silent());
        var results = await subscription.CreateMonitoredItemsAsync(
        [
            new MonitoredItemCreateRequest
            {
                ItemToMonitor = new ReadValueId { NodeId = new NodeId(node, 2), AttributeId = 13 },
                MonitoringMode = MonitoringMode.Reporting,
                RequestedParameters = new MonitoringParameters { QueueSize = 1 },
            },
        ]);
        await subscription.DeleteAsync();
        return results[0].StatusCode;
    }

    private sealed class Silent : ISubscriptionHandler
    {
        public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
        {
        }
    }
}
