using System.Xml.Linq;

namespace Gateway.AddressSpace.Import;

/// <summary>Where a value stands, for its NodeIds and for errors.</summary>
internal sealed record ValueContext(NodeSetFile File, TypeResolver Types, string Node)
{
    public NodeSetException Error(XElement element, string problem) =>
        new(File.Path, NodeSetXml.Line(element), Node, problem);
}
