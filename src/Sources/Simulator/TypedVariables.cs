using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>A writable variable of each scalar built-in type, one array of each and a matrix, which only clients
/// change, and one that refuses writes.</summary>
internal static class TypedVariables
{
    private const AccessLevelExType ReadWrite = AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite;

    private static readonly NodeId Root = new(StandardIds.Objects.RootFolder);
    private static readonly NodeId Objects = new(StandardIds.Objects.ObjectsFolder);
    private static readonly DateTime FirstTime = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    public static void Add(SimulatorNodes nodes, NodeId root)
    {
        var folder = nodes.AddFolder("Variables", root, "One of each type, to be written by clients");
        for (var type = BuiltInType.Boolean; type <= BuiltInType.LocalizedText; type++)
        {
            var name = type.ToString();
            var dataType = new NodeId((uint)type);
            var (scalar, array) = FirstValues(type);
            nodes.AddVariable(
                nodes.Id(name), name, folder, new VariableFacts(dataType, AccessLevel: ReadWrite), scalar);
            nodes.AddVariable(
                nodes.Id(name + "[]"), name + "[]", folder, new VariableFacts(dataType, 1, [0], ReadWrite), array);
        }

        var matrix = new Matrix(new double[] { 1, 2, 3, 4, 5, 6 }, [2, 3]);
        nodes.AddVariable(
            nodes.Id("Double[,]"),
            "Double[,]",
            folder,
            new VariableFacts(new NodeId(StandardIds.DataTypes.Double), 2, [0, 0], ReadWrite),
            Variant.FromMatrix(BuiltInType.Double, matrix));
        nodes.AddVariable(
            nodes.Id("ReadOnly"),
            "ReadOnly",
            folder,
            new VariableFacts(new NodeId(StandardIds.DataTypes.Int32)),
            new Variant(42));
    }

    private static (Variant Scalar, Variant Array) FirstValues(BuiltInType type)
    {
        switch (type)
        {
            case BuiltInType.Boolean: return (new(false), Of(type, false, true, false));
            case BuiltInType.SByte: return (new((sbyte)0), Of<sbyte>(type, -1, 0, 1));
            case BuiltInType.Byte: return (new((byte)0), Of<byte>(type, 0, 1, 2));
            case BuiltInType.Int16: return (new((short)0), Of<short>(type, -1, 0, 1));
            case BuiltInType.UInt16: return (new((ushort)0), Of<ushort>(type, 0, 1, 2));
            case BuiltInType.Int32: return (new(0), Of(type, -1, 0, 1));
            case BuiltInType.UInt32: return (new(0u), Of(type, 0u, 1u, 2u));
            case BuiltInType.Int64: return (new(0L), Of(type, -1L, 0L, 1L));
            case BuiltInType.UInt64: return (new(0UL), Of(type, 0UL, 1UL, 2UL));
            case BuiltInType.Float: return (new(0f), Of(type, -0.5f, 0f, 0.5f));
            case BuiltInType.Double: return (new(0.0), Of(type, -0.5, 0, 0.5));
            case BuiltInType.String: return (new(""), Of(type, "a", "b", "c"));
            case BuiltInType.DateTime: return (new(FirstTime), Of(type, FirstTime, FirstTime.AddDays(1)));
            case BuiltInType.Guid: return (new(Guid.Empty), Of(type, Guid.Empty));
            case BuiltInType.ByteString:
                return (Variant.FromByteString([]), Of<byte[]>(type, [1], [2, 3]));
            case BuiltInType.XmlElement:
                return (new(new XmlElement("<a/>")), Of(type, new XmlElement("<a/>"), new XmlElement("<b/>")));
            case BuiltInType.NodeId: return (new(Root), Of(type, Root, Objects));
            case BuiltInType.ExpandedNodeId:
                return (new(new ExpandedNodeId(Root)), Of(type, new ExpandedNodeId(Root)));
            case BuiltInType.StatusCode:
                return (new(StatusCode.Good), Of(type, StatusCode.Good, new StatusCode(StatusCodes.Bad)));
            case BuiltInType.QualifiedName:
                return (new(new QualifiedName("a")), Of(type, new QualifiedName("a"), new QualifiedName("b", 2)));
            default:
                return (new(new LocalizedText("text")), Of(type, new LocalizedText("Ja", "de"), new("yes", "en")));
        }
    }

    private static Variant Of<T>(BuiltInType type, params T[] elements) => Variant.FromArray(type, elements);
}
