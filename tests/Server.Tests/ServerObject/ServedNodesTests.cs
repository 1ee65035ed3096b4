using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Server.Conditions;
using Gateway.Server.ServerObject;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.ServerObject;

/// <summary>The address space shows what is served, and nothing else.</summary>
public sealed class ServedNodesTests : IDisposable
{
    private const uint PublishSubscribe = 14443;
    private const uint Aliases = 23470;

    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData(PublishSubscribe)]
    [InlineData(12637)] // ServerConfiguration
    [InlineData(13737)] // UpdateCertificate below it
    [InlineData(24290)] // UserManagement
    [InlineData(Aliases)]
    [InlineData(12749)] // SetSubscriptionDurable
    [InlineData(12886)] // RequestServerStateChange
    public async Task WhatIsNotServed_IsNotThere(uint id)
    {
        var client = await _fixture.ConnectAsync("engineer");
        var read = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = new NodeId(id), AttributeId = (uint)AttributeId.BrowseName }],
        });
        Assert.Equal(StatusCodes.BadNodeIdUnknown, read.Results![0].Status);
    }

    [Fact]
    public async Task Server_WithEventsOfTheGateway_PromisesThemAndNoHistory()
    {
        var client = await _fixture.ConnectAsync();
        var read = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead =
            [
                new ReadValueId { NodeId = new NodeId(2253), AttributeId = (uint)AttributeId.EventNotifier },
            ],
        });
        const int subscribeToEvents = 1;
        Assert.Equal(subscribeToEvents, read.Results![0].Value.AsInt32());
    }

    [Fact]
    public void EveryExecutableMethod_HasSomebodyWhoCarriesItOut()
    {
        var nodes = _fixture.Nodes;
        var executable = new List<string>();
        foreach (var node in All(nodes).Where(node => nodes.GetNodeClass(node) == NodeClass.Method))
        {
            nodes.ReadAttribute(node, AttributeId.Executable, out var value);
            if (!value.AsBoolean())
                continue;
            Assert.IsNotType<StoreSource>(nodes.SourceOf(node));
            // Those of the condition types are called on conditions, of which no node has the methods.
            if (nodes.SourceOf(node) is ConditionMethods)
                Assert.NotNull(ConditionMethod.Find(nodes.GetNodeId(node)));
            else
                executable.Add(nodes.GetBrowseName(node).Name!);
        }

        Assert.Equal(["Add", "GetMonitoredItems", "ResendData"], executable.Order());
    }

    [Fact]
    public void RemovedNodes_LeaveNoReferenceBehind()
    {
        var nodes = _fixture.Nodes;
        foreach (var node in All(nodes))
        {
            foreach (var reference in nodes.References(node))
                Assert.True(
                    reference.IsExternal || nodes.Exists(reference.Target),
                    $"{nodes.GetNodeId(node)} points to {nodes.GetNodeId(reference.Target)}, which is gone");
        }
    }

    [Fact]
    public async Task MethodOfAModelWithoutImplementation_IsNotExecutable()
    {
        var id = new NodeId("Start", 1);
        _fixture.Nodes.Apply(new NodeBatch().AddMethod(
            id, new QualifiedName("Start", 1), _fixture.Store, TestPlant.Methods));
        var client = await _fixture.ConnectAsync();
        var read = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead =
            [
                new ReadValueId { NodeId = id, AttributeId = (uint)AttributeId.Executable },
                new ReadValueId { NodeId = id, AttributeId = (uint)AttributeId.UserExecutable },
            ],
        });
        Assert.All(read.Results!, result => Assert.False(result.Value.AsBoolean()));
        var call = await client.CallAsync<CallResponse>(new CallRequest
        {
            MethodsToCall = [new CallMethodRequest { ObjectId = TestPlant.Methods, MethodId = id }],
        });
        Assert.Equal(StatusCodes.BadNotExecutable, call.Results![0].StatusCode);
    }

    [Fact]
    public void ObjectThatAnotherModelUses_Stays()
    {
        var (nodes, values) = (new NodeTable(), new ValueStore(TimeProvider.System));
        StandardNodes.Load(nodes, values);
        nodes.Namespaces.GetOrAdd("urn:test");
        nodes.Apply(new NodeBatch().AddObject(new NodeId(1, 1), new QualifiedName("Mine", 1), new NodeId(Aliases)));
        UnservedNodes.Remove(nodes);
        Assert.False(nodes.Find(new NodeId(Aliases)).IsNone);
        Assert.False(nodes.Find(new NodeId(1, 1)).IsNone);
        Assert.True(nodes.Find(new NodeId(PublishSubscribe)).IsNone);
    }

    private static IEnumerable<NodeHandle> All(NodeTable nodes) => Enumerable.Range(1, nodes.HandleEnd - 1)
        .Select(index => new NodeHandle(index)).Where(nodes.Exists);
}
