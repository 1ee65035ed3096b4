using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.Tests.Support;

/// <summary>The nodes of the tests.</summary>
internal static class TestPlant
{
    public static readonly NodeId Folder = new("Plant", 1);
    public static readonly NodeId Int32 = new("Int32", 1);
    public static readonly NodeId Int32Array = new("Int32[]", 1);
    public static readonly NodeId Matrix = new("Matrix", 1);
    public static readonly NodeId Text = new("String", 1);
    public static readonly NodeId Bytes = new("Byte[]", 1);
    public static readonly NodeId ByteString = new("ByteString", 1);
    public static readonly NodeId Number = new("Number", 1);
    public static readonly NodeId Numbers = new("Number[]", 1);
    public static readonly NodeId Anything = new("BaseDataType", 1);
    public static readonly NodeId Enumeration = new("Enumeration", 1);
    public static readonly NodeId Range = new("Range", 1);
    public static readonly NodeId ReadOnly = new("ReadOnly", 1);
    public static readonly NodeId WriteOnly = new("WriteOnly", 1);
    public static readonly NodeId WithTimes = new("WithTimes", 1);
    public static readonly NodeId NeverSet = new("NeverSet", 1);
    public static readonly NodeId Slow = new("Slow", 1);
    public static readonly NodeId Methods = new("Methods", 1);
    public static readonly NodeId Add = new("Add", 1);

    public const int ManyCount = 250;

    public static readonly NodeId Many = new("Many", 1);

    private const AccessLevelExType ReadWrite = AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite;

    public static void Load(NodeTable nodes, ValueStore values, INodeSource store, INodeSource slow)
    {
        var batch = new NodeBatch();
        batch.AddObject(Folder, new QualifiedName("Plant", 1), new NodeId(85));
        Variable(batch, Int32, 6, -1, store);
        Variable(batch, Int32Array, 6, 1, store);
        Variable(batch, Matrix, 6, 2, store);
        Variable(batch, Text, 12, -1, store);
        Variable(batch, Bytes, 3, 1, store);
        Variable(batch, ByteString, 15, -1, store);
        Variable(batch, Number, 26, -1, store);
        Variable(batch, Numbers, 26, 1, store);
        Variable(batch, Anything, 24, -2, store);
        Variable(batch, Enumeration, 852, -1, store);
        Variable(batch, Range, 884, -1, store);
        AddDataAccess(batch, store);
        Variable(batch, ReadOnly, 6, -1, store, AccessLevelExType.CurrentRead);
        Variable(batch, WriteOnly, 6, -1, store, AccessLevelExType.CurrentWrite);
        Variable(batch, WithTimes, 6, -1, store,
            ReadWrite | AccessLevelExType.StatusWrite | AccessLevelExType.TimestampWrite);
        Variable(batch, NeverSet, 6, -1, store);
        Variable(batch, Slow, 6, -1, slow);
        batch.AddObject(Methods, new QualifiedName("Methods", 1), Folder);
        batch.AddMethod(Add, new QualifiedName("Add", 1), slow, Methods);
        batch.AddProperty(
            new NodeId("Add.In", 1), new QualifiedName("InputArguments"), new VariableFacts(new NodeId(296), 1), store,
            Add);
        batch.AddObject(Many, new QualifiedName("Many", 1), Folder);
        for (var i = 0; i < ManyCount; i++)
            batch.AddObject(new NodeId("Many" + i, 1), new QualifiedName("Many" + i, 1), Many);
        nodes.Apply(batch);
        Fill(nodes, values);
    }

    private static void AddDataAccess(NodeBatch batch, INodeSource store)
    {
        Variable(batch, new NodeId("Enumeration[]", 1), 852, 1, store);
        Variable(batch, new NodeId("AnyEnumeration", 1), 29, -1, store);
        foreach (var (name, type) in new (string, uint)[] { ("Analog", 11), ("AnalogFloat", 10), ("AnalogInt", 8) })
            Property(batch, store, name, type, -1, "InstrumentRange", new VariableFacts(new NodeId(884)));
        Property(batch, store, "Analog[]", 11, 1, "InstrumentRange", new VariableFacts(new NodeId(884)));
        Property(batch, store, "NoRange", 11, -1, "InstrumentRange", new VariableFacts(new NodeId(884)));
        Property(batch, store, "State", 28, -1, "EnumStrings", new VariableFacts(new NodeId(21), 1));
        Property(batch, store, "ValueState", 26, -1, "EnumValues", new VariableFacts(new NodeId(7594), 1));
    }

    private static void Property(
        NodeBatch batch, INodeSource store, string name, uint dataType, int rank, string property,
        in VariableFacts facts)
    {
        Variable(batch, new NodeId(name, 1), dataType, rank, store);
        batch.AddProperty(
            new NodeId($"{name}.{property}", 1), new QualifiedName(property), facts, store, new NodeId(name, 1));
    }

    private static void Variable(
        NodeBatch batch, NodeId id, uint dataType, int rank, INodeSource source,
        AccessLevelExType level = ReadWrite) =>
        batch.AddVariable(
            id, new QualifiedName(id.String, 1), new VariableFacts(new NodeId(dataType), rank, null, level), source,
            Folder);

    private static void Fill(NodeTable nodes, ValueStore values)
    {
        void Set(NodeId id, Variant value) => values.Set(
            nodes.Find(id), new DataValue(value, default, new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc)));

        Set(Int32, new Variant(7));
        Set(Int32Array, Variant.FromArray(BuiltInType.Int32, new[] { 1, 2, 3, 4, 5 }));
        Set(Matrix, Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4, 5, 6 }, [2, 3])));
        Set(Text, new Variant("Hello"));
        Set(Bytes, Variant.FromArray(BuiltInType.Byte, new byte[] { 1, 2, 3 }));
        Set(ByteString, Variant.FromByteString([1, 2, 3]));
        Set(Number, new Variant(1.5));
        Set(Anything, new Variant(true));
        Set(Enumeration, new Variant(0));
        Set(Range, Variant.FromStructure(new Codec.Structures.Range { Low = 0, High = 1 }));
        var range = Variant.FromStructure(new Codec.Structures.Range { Low = -0.1, High = 100 });
        foreach (var name in new[] { "Analog", "AnalogFloat", "AnalogInt", "Analog[]" })
            Set(new NodeId(name + ".InstrumentRange", 1), range);
        Set(new NodeId("NoRange.InstrumentRange", 1), Variant.FromStructure(new Codec.Structures.Range()));
        Set(new NodeId("State.EnumStrings", 1), Variant.FromArray(
            BuiltInType.LocalizedText, new[] { new LocalizedText("a"), new LocalizedText("b") }));
        Set(new NodeId("ValueState.EnumValues", 1), Variant.FromArray(BuiltInType.ExtensionObject, new[]
        {
            new ExtensionObject(new EnumValueType { Value = -3 }), new ExtensionObject(new EnumValueType { Value = 7 }),
        }));
        Set(ReadOnly, new Variant(1));
        Set(WriteOnly, new Variant(1));
        Set(WithTimes, new Variant(1));
        Set(new NodeId("Add.In", 1), Variant.FromArray(BuiltInType.ExtensionObject, new[]
        {
            new ExtensionObject(new Argument { Name = "a", DataType = new NodeId(6), ValueRank = -1 }),
            new ExtensionObject(new Argument { Name = "b", DataType = new NodeId(6), ValueRank = -1 }),
        }));
    }
}
