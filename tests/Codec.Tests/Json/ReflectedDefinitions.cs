using System.Reflection;
using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>The DataTypeDefinitions of declared structures, under ids that the codec does not know.</summary>
internal sealed class ReflectedDefinitions : IDataTypeDefinitions
{
    private const ushort Index = 7;

    private static readonly Dictionary<Type, BuiltInType> BuiltIns =
        SampleVariants.Arrays.ToDictionary(pair => pair.Value.GetType().GetElementType()!, pair => pair.Key);

    private readonly Dictionary<NodeId, Type> _types = [];

    public ReflectedDefinitions(IEnumerable<Type> structures)
    {
        foreach (var type in structures)
        {
            _types.Add(IdOf(type), type);
            foreach (var field in SampleStructures.Fields(type))
            {
                if (ElementOf(field.PropertyType) is { IsEnum: true } element)
                    _types.TryAdd(IdOf(element), element);
            }
        }
    }

    public static NodeId IdOf(Type type) =>
        type.IsEnum ? new NodeId(type.Name, Index)
        : BuiltIns.TryGetValue(type, out var builtIn) ? new NodeId((uint)builtIn)
        : new NodeId(Attribute(type).DataTypeId, Index);

    public NodeId DataTypeOf(NodeId encodingId) =>
        _types.FirstOrDefault(pair => !pair.Value.IsEnum && BinaryEncodingOf(pair.Key) == encodingId).Key;

    public NodeId BinaryEncodingOf(NodeId dataTypeId) =>
        _types.TryGetValue(dataTypeId, out var type) && !type.IsEnum
            ? new NodeId(Attribute(type).BinaryEncodingId, Index)
            : default;

    public BuiltInType BuiltInTypeOf(NodeId dataTypeId) =>
        !_types.TryGetValue(dataTypeId, out var type)
            ? dataTypeId.Numeric == (uint)BuiltInType.Variant ? BuiltInType.Null : (BuiltInType)dataTypeId.Numeric
        : type.IsEnum ? BuiltIns[type.GetEnumUnderlyingType()]
        : BuiltInType.ExtensionObject;

    public DataTypeDefinition? DefinitionOf(NodeId dataTypeId)
    {
        if (!_types.TryGetValue(dataTypeId, out var type))
            return null;
        if (type.IsEnum)
        {
            return new EnumDefinition
            {
                Fields = [.. Enum.GetNames(type).Select(name => new EnumField
                {
                    Name = name,
                    Value = Convert.ToInt64(Enum.Parse(type, name)),
                })],
            };
        }

        var fields = SampleStructures.Fields(type).ToList();
        return new StructureDefinition { StructureType = KindOf(type, fields), Fields = [.. fields.Select(FieldOf)] };
    }

    private static StructureType KindOf(Type type, List<PropertyInfo> fields)
    {
        var kind = Attribute(type).StructureType;
        for (var above = type.BaseType; kind == StructureType.Structure && above != typeof(object);)
        {
            kind = above!.IsDefined(typeof(StructureAttribute), inherit: false)
                ? Attribute(above).StructureType
                : StructureType.Structure;
            above = above.BaseType ?? typeof(object);
        }

        return kind == StructureType.Structure && fields.Any(f => f.IsDefined(typeof(AllowSubtypesAttribute)))
            ? StructureType.StructureWithSubtypedValues
            : kind;
    }

    private static StructureField FieldOf(PropertyInfo field)
    {
        var allowed = field.GetCustomAttribute<AllowSubtypesAttribute>()?.BaseType;
        return new StructureField
        {
            Name = field.Name,
            DataType = IdOf(allowed ?? ElementOf(field.PropertyType)),
            ValueRank = field.PropertyType.IsArray && field.PropertyType != typeof(byte[]) ? 1 : -1,
            IsOptional = allowed is not null || field.IsDefined(typeof(OptionalFieldAttribute)),
        };
    }

    private static Type ElementOf(Type type)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        return type.IsArray && type != typeof(byte[]) ? type.GetElementType()! : type;
    }

    private static StructureAttribute Attribute(Type type) =>
        type.GetCustomAttribute<StructureAttribute>(inherit: false)!;
}
