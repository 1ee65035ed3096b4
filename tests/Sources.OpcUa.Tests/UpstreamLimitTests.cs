using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>Limits of a browse that leave something out instead of ending it: each moved, and what that does.</summary>
public sealed class UpstreamLimitTests
{
    private const int Synchronized = 5002;
    private static readonly NodeId Objects = new(85);

    [Theory]
    [InlineData(2, 29u, 29u)]
    [InlineData(1, 29u, StandardIds.DataTypes.BaseDataType)]
    public async Task MaxUpstreamDataTypes_TwoTypesOfItsOwn_ThoseAboveAreBaseDataType(
        int limit, uint first, uint second)
    {
        await using var gateway = new UpstreamFixture(new UpstreamLimits { MaxUpstreamDataTypes = limit });
        foreach (var name in new[] { "A", "B" })
        {
            var type = new NodeId(name + "Type", 2);
            gateway.Server.AddVariable(Objects, new NodeId(name, 2), new Variant(1), type);
            gateway.Server.References.Add(
                (type, new ReferenceDescription { NodeId = new NodeId(29), IsForward = false }));
        }

        gateway.Start();
        await gateway.Log.NextAsync(Synchronized);

        Assert.Equal(new NodeId(first), gateway.Nodes.GetVariableFacts(gateway.Find("A")).DataType);
        Assert.Equal(new NodeId(second), gateway.Nodes.GetVariableFacts(gateway.Find("B")).DataType);
    }

    [Theory]
    [InlineData(64 * 1024, true)]
    [InlineData(10, false)]
    public async Task MaxUpstreamArgumentBytes_LongerArguments_AreReadFromTheUpstream(int limit, bool isKept)
    {
        await using var gateway = new UpstreamFixture(new UpstreamLimits { MaxUpstreamArgumentBytes = limit });
        NodeId method = new("Start", 2), arguments = new("Start.In", 2);
        gateway.Server.Add(Objects, method, NodeClass.Method, 47);
        gateway.Server.References.Add((method, new ReferenceDescription
        {
            ReferenceTypeId = new NodeId(46),
            IsForward = true,
            NodeId = arguments,
            BrowseName = new QualifiedName("InputArguments"),
            NodeClass = NodeClass.Variable,
            TypeDefinition = new NodeId(68),
        }));
        var argument = new ExtensionObject(new Argument { Name = "speed", DataType = new NodeId(11), ValueRank = -1 });
        gateway.Server.Attributes[(arguments, AttributeId.Value)] =
            new DataValue(Variant.FromArray(BuiltInType.ExtensionObject, new[] { argument }));
        gateway.Server.Attributes[(arguments, AttributeId.UserAccessLevel)] = new DataValue(new Variant((byte)1));

        gateway.Start();
        await gateway.Log.NextAsync(Synchronized);

        Assert.Equal(isKept, gateway.Nodes.SourceOf(gateway.Find("Start.In")) is StoreSource);
    }
}
