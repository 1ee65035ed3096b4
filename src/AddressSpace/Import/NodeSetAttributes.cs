using System.Globalization;
using System.Xml;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>The XML attributes of a node element with the schema's defaults. Source: Part 6 Annex F.4–F.11.</summary>
internal static class NodeSetAttributes
{
    /// <summary>All but the id, the class and the names, which the caller sets.</summary>
    public static NodeDefinition Read(XmlReader xml, NodeSetReader reader)
    {
        var line = NodeSetXml.Line(xml);
        var restrictions = xml.GetAttribute("AccessRestrictions");
        return new NodeDefinition
        {
            NodeId = default,
            NodeClass = default,
            BrowseName = default,
            IsAbstract = IsTrue(xml, "IsAbstract"),
            Symmetric = IsTrue(xml, "Symmetric"),
            ContainsNoLoops = IsTrue(xml, "ContainsNoLoops"),
            Executable = xml.GetAttribute("Executable") is not ("false" or "0"),
            EventNotifier = (EventNotifierType)reader.ParseUInt32(
                xml.GetAttribute("EventNotifier"), line, "EventNotifier", 0),
            AccessRestrictions = restrictions is null
                ? null
                : (AccessRestrictionType)reader.ParseUInt32(restrictions, line, "AccessRestrictions", 0),
            Variable = xml.LocalName is "UAVariable" or "UAVariableType" ? ReadFacts(xml, reader, line) : default,
        };
    }

    private static VariableFacts ReadFacts(XmlReader xml, NodeSetReader reader, int line)
    {
        var dataType = xml.GetAttribute("DataType");
        var rank = reader.ParseInt32(xml.GetAttribute("ValueRank"), line, "ValueRank", -1);
        var dimensions = reader.ParseDimensions(xml.GetAttribute("ArrayDimensions"), line);
        return new VariableFacts(
            dataType is null
                ? new NodeId(StandardIds.DataTypes.BaseDataType)
                : reader.ParseNodeId(dataType, line, "DataType"),
            rank,
            rank > 0 ? dimensions : null,
            (AccessLevelExType)reader.ParseUInt32(xml.GetAttribute("AccessLevel"), line, "AccessLevel", 1),
            ReadInterval(xml, reader, line),
            IsTrue(xml, "Historizing"));
    }

    private static double ReadInterval(XmlReader xml, NodeSetReader reader, int line)
    {
        var text = xml.GetAttribute("MinimumSamplingInterval");
        if (text is null)
            return 0;
        return double.TryParse(text, CultureInfo.InvariantCulture, out var interval)
            ? interval
            : throw reader.Error(line, $"'{text}' is no valid MinimumSamplingInterval");
    }

    private static bool IsTrue(XmlReader xml, string name) => xml.GetAttribute(name) is "true" or "1";
}
