using System.Xml.Linq;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>
/// A structure from its XML encoding by its DataTypeDefinition, whether the codec knows it or not: it is written in
/// OPC UA Binary and, where the codec knows it, read from there. A DataType without a definition keeps its XML.
/// Source: Part 6 §5.3.1.16, §5.2.6–5.2.8.
/// </summary>
internal sealed class XmlStructureReader(ValueContext context, XmlValueReader values)
{
    private const int MaxDepth = 100;
    private const int MaxFields = 100_000;
    private const int MaxSizeBytes = 4 * 1024 * 1024;

    private int _fields;

    public ExtensionObject Read(XElement element)
    {
        var typeId = XmlScalarReader.Child(element, "TypeId");
        var body = XmlScalarReader.Child(element, "Body")?.Elements().FirstOrDefault();
        if (typeId is null || body is null)
            return default;
        var encoding = values.Scalars.Read(BuiltInType.NodeId, typeId).AsNodeId();
        var dataType = context.Types.DataTypeOf(encoding);
        var binary = context.Types.BinaryEncodingOf(dataType);
        if (binary.IsNull || context.Types.DefinitionOf(dataType) is not StructureDefinition definition)
            return new ExtensionObject(encoding, new XmlElement(body.ToString(SaveOptions.DisableFormatting)));

        using var buffer = new PooledBuffer(limitBytes: MaxSizeBytes);
        var writer = new UaBinaryWriter(buffer);
        WriteStructure(ref writer, definition, body, body, 0);
        if (writer.Failed)
            throw context.Error(element, $"the structure takes more than {MaxSizeBytes} bytes");
        writer.Complete();
        return Decode(binary, buffer.WrittenSpan.ToArray(), element);
    }

    private ExtensionObject Decode(NodeId binary, byte[] bytes, XElement element)
    {
        if (binary.NamespaceIndex != 0 || !StructureRegistry.TryGetByBinaryEncoding(binary.Numeric, out var entry))
            return new ExtensionObject(binary, bytes);
        var reader = new UaBinaryReader(bytes);
        var structure = entry.DecodeBinary(ref reader);
        return reader.Failed
            ? throw context.Error(element, "the structure does not fit its DataType")
            : new ExtensionObject(structure);
    }

    /// <param name="body">Null where the structure is left out: its default is written.</param>
    /// <param name="place">The nearest existing element, for errors.</param>
    private void WriteStructure(
        ref UaBinaryWriter writer, StructureDefinition definition, XElement? body, XElement place, int depth)
    {
        if (depth > MaxDepth)
            throw context.Error(place, $"structures nested more than {MaxDepth} levels deep");
        var fields = definition.Fields ?? [];
        if (definition.StructureType is StructureType.Union or StructureType.UnionWithSubtypedValues)
        {
            WriteUnion(ref writer, fields, body, place, depth);
            return;
        }

        var optional = definition.StructureType == StructureType.StructureWithOptionalFields;
        if (optional)
            writer.WriteUInt32(PresentOptional(fields, body));
        var subtyped = definition.StructureType == StructureType.StructureWithSubtypedValues;
        foreach (var field in fields)
        {
            var element = Find(body, field);
            if (!optional || !field.IsOptional || element is not null)
                WriteField(ref writer, field, subtyped && field.IsOptional, element, place, depth);
        }
    }

    private void WriteUnion(
        ref UaBinaryWriter writer, StructureField[] fields, XElement? body, XElement place, int depth)
    {
        var chosen = Array.FindIndex(fields, field => Find(body, field) is not null);
        writer.WriteUInt32((uint)(chosen + 1));
        if (chosen >= 0)
            WriteField(ref writer, fields[chosen], fields[chosen].IsOptional, Find(body, fields[chosen]), place, depth);
    }

    private static uint PresentOptional(StructureField[] fields, XElement? body)
    {
        var mask = 0u;
        var bit = 0;
        foreach (var field in fields)
        {
            if (!field.IsOptional)
                continue;
            if (Find(body, field) is not null)
                mask |= 1u << bit;
            bit++;
        }

        return mask;
    }

    private static XElement? Find(XElement? body, StructureField field)
    {
        var element = body is null || field.Name is null ? null : XmlScalarReader.Child(body, field.Name);
        return element is null || XmlValueReader.IsNil(element) ? null : element;
    }

    private void WriteField(
        ref UaBinaryWriter writer,
        StructureField field,
        bool allowSubtypes,
        XElement? element,
        XElement place,
        int depth)
    {
        if (++_fields > MaxFields)
            throw context.Error(place, $"more than {MaxFields} fields in one value");
        if (field.ValueRank > 1)
            throw context.Error(place, $"the field '{field.Name}' has more than one dimension");
        if (field.ValueRank < 1)
        {
            WriteScalar(ref writer, field.DataType, allowSubtypes, element, element ?? place, depth);
            return;
        }

        var items = element?.Elements().ToList();
        writer.WriteInt32(items?.Count ?? -1);
        foreach (var item in items ?? [])
            WriteScalar(ref writer, field.DataType, allowSubtypes, item, item, depth);
    }

    private void WriteScalar(
        ref UaBinaryWriter writer, NodeId dataType, bool allowSubtypes, XElement? element, XElement place, int depth)
    {
        var type = context.Types.BuiltInTypeOf(dataType);
        if (type == BuiltInType.ExtensionObject)
        {
            var inline = !allowSubtypes && (element is null || XmlScalarReader.Child(element, "Body") is null);
            if (inline && context.Types.DefinitionOf(dataType) is StructureDefinition definition)
                WriteStructure(ref writer, definition, element, place, depth + 1);
            else
                writer.WriteExtensionObject(element is null ? default : Read(element));
            return;
        }

        // A type that allows several built-in types is a Variant on the wire.
        if (type == BuiltInType.Null)
            type = BuiltInType.Variant;
        XmlFieldWriter.Write(ref writer, type, element is null ? default : values.Scalars.Read(type, element));
    }
}
