using System.Xml;

namespace Gateway.AddressSpace.Import;

/// <summary>Opens XML from outside: no DTD, no entity, no external resource, bounded in size (R22).</summary>
internal static class NodeSetXml
{
    public const string NodeSetNamespace = "http://opcfoundation.org/UA/2011/03/UANodeSet.xsd";

    public static XmlReader Open(Stream stream, NodeSetLimits limits) => XmlReader.Create(stream, new XmlReaderSettings
    {
        DtdProcessing = DtdProcessing.Prohibit,
        XmlResolver = null,
        MaxCharactersInDocument = limits.MaxFileSizeBytes,
        MaxCharactersFromEntities = 1024,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
        CloseInput = false,
    });

    public static int Line(XmlReader reader) => reader is IXmlLineInfo info ? info.LineNumber : 0;

    public static int Line(System.Xml.Linq.XObject node) => node is IXmlLineInfo info ? info.LineNumber : 0;
}
