using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Load;

namespace Gateway.Sources.OpcUa.Tests.Load;

public sealed class RequestShapeTests
{
    [Fact]
    public void Of_ReadOfValuesAndAttributes_OnlyValuesAreReads()
    {
        var shape = RequestShape.Of(new ReadRequest
        {
            NodesToRead = [Read(AttributeId.Value, 2), Read(AttributeId.DataType, 2), Read(AttributeId.Value, 2)],
        });

        Assert.Equal(new RequestShape(RequestClass.Read, 2, 3, IsTimed: true), shape);
    }

    /// <summary>The look whether the session lives never waits behind clients.</summary>
    [Fact]
    public void Of_ReadOfOneStandardValue_Upkeep() => Assert.Equal(
        RequestClass.Upkeep,
        RequestShape.Of(new ReadRequest { NodesToRead = [Read(AttributeId.Value, 0)] }).Class);

    /// <summary>So does the look at the state of a redundant server; a client's read of many is none.</summary>
    [Theory]
    [InlineData(3, RequestClass.Upkeep)]
    [InlineData(5, RequestClass.Read)]
    public void Of_ReadOfSomeStandardValues_UpkeepWhereTheyAreFew(int count, object expected) => Assert.Equal(
        expected,
        RequestShape.Of(new ReadRequest
        {
            NodesToRead = [.. Enumerable.Repeat(Read(AttributeId.Value, 0), count)],
        }).Class);

    [Fact]
    public void Of_ReadOfAStandardValueAndAClients_NoUpkeep() => Assert.Equal(
        RequestClass.Read,
        RequestShape.Of(new ReadRequest
        {
            NodesToRead = [Read(AttributeId.Value, 0), Read(AttributeId.Value, 2)],
        }).Class);

    [Fact]
    public void Of_WriteAndCall_First()
    {
        Assert.Equal(RequestClass.Act, RequestShape.Of(new WriteRequest()).Class);
        Assert.Equal(RequestClass.Act, RequestShape.Of(new CallRequest()).Class);
        Assert.Equal(RequestClass.Upkeep, RequestShape.Of(new CreateMonitoredItemsRequest()).Class);
        Assert.Equal(RequestClass.Read, RequestShape.Of(new BrowseNextRequest()).Class);
    }

    private static ReadValueId Read(AttributeId attribute, ushort index) =>
        new() { NodeId = new NodeId(2259u, index), AttributeId = (uint)attribute };
}
