using System.Runtime.CompilerServices;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Types;

public sealed class ExtensionObjectTests
{
    private static readonly NodeId SomeType = new(7, 3);

    [Fact]
    public void DataTypeId_KnownStructure_StandsBesideTheEncodingsId()
    {
        var value = new ExtensionObject(new Argument());

        Assert.Equal(new NodeId(296), value.DataTypeId);
        Assert.Equal(new NodeId(298), value.TypeId);
        Assert.Equal(ExtensionObjectEncoding.Binary, value.Encoding);
    }

    [Fact]
    public void DataTypeId_BytesAndXml_IsOnlyKnownToTheAddressSpace()
    {
        var bytes = new ExtensionObject(SomeType, [1, 2]);
        var xml = new ExtensionObject(SomeType, new XmlElement("<a/>"));

        Assert.Equal((SomeType, NodeId.Null), (bytes.TypeId, bytes.DataTypeId));
        Assert.Equal((SomeType, NodeId.Null), (xml.TypeId, xml.DataTypeId));
        Assert.Equal(ExtensionObjectEncoding.Binary, bytes.Encoding);
        Assert.Equal(ExtensionObjectEncoding.Xml, xml.Encoding);
    }

    [Fact]
    public void DataTypeId_Json_IsTheTypeThatJsonNames()
    {
        var value = new ExtensionObject(SomeType, new JsonBody("{\"A\":1}"u8.ToArray()));

        Assert.Equal((SomeType, SomeType), (value.TypeId, value.DataTypeId));
        Assert.Equal(ExtensionObjectEncoding.Json, value.Encoding);
        Assert.Equal("{\"A\":1}", value.ToString());
    }

    [Fact]
    public void Encoding_NoBody_IsNone()
    {
        Assert.Equal(ExtensionObjectEncoding.None, default(ExtensionObject).Encoding);
        Assert.Equal(ExtensionObjectEncoding.None, new ExtensionObject(SomeType, (byte[]?)null).Encoding);
    }

    [Fact]
    public void Equals_JsonBodies_GoesByTheirBytes()
    {
        var value = new Variant(new ExtensionObject(SomeType, new JsonBody("{}"u8.ToArray())));

        Assert.Equal(value, new Variant(new ExtensionObject(SomeType, new JsonBody("{}"u8.ToArray()))));
        Assert.NotEqual(value, new Variant(new ExtensionObject(SomeType, new JsonBody("{ }"u8.ToArray()))));
    }

    /// <summary>Binary has bytes and XML only.</summary>
    [Fact]
    public void WriteExtensionObject_Json_IsAnEncodingError()
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);

        writer.WriteExtensionObject(new ExtensionObject(SomeType, new JsonBody("{}"u8.ToArray())));
        var position = writer.Position;
        writer.WriteUInt32(1);

        Assert.Equal(StatusCodes.BadEncodingError, writer.Status.Code);
        Assert.Equal(position, writer.Position);
    }

    [Fact]
    public void Of_JsonBody_CountsItsBytes()
    {
        var small = new Variant(new ExtensionObject(SomeType, new JsonBody(new byte[10])));
        var large = new Variant(new ExtensionObject(SomeType, new JsonBody(new byte[1010])));

        Assert.Equal(1000, ValueSize.Of(large) - ValueSize.Of(small));
    }

    [Fact]
    public void Size_OfTheStruct_IsThreeWords() => Assert.Equal(24, Unsafe.SizeOf<ExtensionObject>());
}
