using System.Globalization;
using System.Xml;
using Gateway.Loadtest.Scenarios;

namespace Gateway.Loadtest.Machine;

/// <summary>A NodeSet2 file (Part 6 Annex F) of writable Double variables <c>i=1</c> upwards in one folder.</summary>
internal static class WritableNodeSet
{
    private const string Schema = "http://opcfoundation.org/UA/2011/03/UANodeSet.xsd";
    private const string TypesSchema = "http://opcfoundation.org/UA/2008/02/Types.xsd";
    private const string Folder = "ns=1;s=Writable";

    public static void Write(string file, int count)
    {
        using var xml = XmlWriter.Create(file, new XmlWriterSettings { Indent = true });
        xml.WriteStartElement("UANodeSet", Schema);
        xml.WriteStartElement("NamespaceUris", Schema);
        xml.WriteElementString("Uri", Schema, WriteTags.NamespaceUri);
        xml.WriteEndElement();
        xml.WriteStartElement("Models", Schema);
        xml.WriteStartElement("Model", Schema);
        xml.WriteAttributeString("ModelUri", WriteTags.NamespaceUri);
        xml.WriteAttributeString("Version", "1.0.0");
        xml.WriteAttributeString("PublicationDate", "2026-01-01T00:00:00Z");
        xml.WriteEndElement();
        xml.WriteEndElement();
        WriteNode(xml, "UAObject", Folder, "Writable", () =>
        {
            WriteReference(xml, "i=40", isForward: true, "i=61");
            WriteReference(xml, "i=35", isForward: false, "i=85");
        });
        for (var i = 1; i <= count; i++)
            WriteVariable(xml, i.ToString(CultureInfo.InvariantCulture));
        xml.WriteEndElement();
    }

    private static void WriteVariable(XmlWriter xml, string number)
    {
        xml.WriteStartElement("UAVariable", Schema);
        xml.WriteAttributeString("NodeId", "ns=1;i=" + number);
        xml.WriteAttributeString("BrowseName", "1:W" + number);
        xml.WriteAttributeString("DataType", "i=11");
        xml.WriteAttributeString("AccessLevel", "3");
        xml.WriteAttributeString("UserAccessLevel", "3");
        xml.WriteElementString("DisplayName", Schema, "W" + number);
        xml.WriteStartElement("References", Schema);
        WriteReference(xml, "i=40", isForward: true, "i=63");
        WriteReference(xml, "i=35", isForward: false, Folder);
        xml.WriteEndElement();
        xml.WriteStartElement("Value", Schema);
        xml.WriteElementString("Double", TypesSchema, "0");
        xml.WriteEndElement();
        xml.WriteEndElement();
    }

    private static void WriteNode(XmlWriter xml, string element, string id, string name, Action references)
    {
        xml.WriteStartElement(element, Schema);
        xml.WriteAttributeString("NodeId", id);
        xml.WriteAttributeString("BrowseName", "1:" + name);
        xml.WriteElementString("DisplayName", Schema, name);
        xml.WriteStartElement("References", Schema);
        references();
        xml.WriteEndElement();
        xml.WriteEndElement();
    }

    private static void WriteReference(XmlWriter xml, string type, bool isForward, string target)
    {
        xml.WriteStartElement("Reference", Schema);
        xml.WriteAttributeString("ReferenceType", type);
        if (!isForward)
            xml.WriteAttributeString("IsForward", "false");
        xml.WriteString(target);
        xml.WriteEndElement();
    }
}
