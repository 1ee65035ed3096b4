using System.Text.Json;

namespace Gateway.Codec.Json;

/// <summary>The member names of the built-in types. Source: Part 6 §5.4.2, Annex H.</summary>
internal static class JsonNames
{
    public static readonly JsonEncodedText UaType = JsonEncodedText.Encode("UaType");
    public static readonly JsonEncodedText Value = JsonEncodedText.Encode("Value");
    public static readonly JsonEncodedText Dimensions = JsonEncodedText.Encode("Dimensions");
    public static readonly JsonEncodedText Type = JsonEncodedText.Encode("Type");
    public static readonly JsonEncodedText Body = JsonEncodedText.Encode("Body");
    public static readonly JsonEncodedText Status = JsonEncodedText.Encode("Status");
    public static readonly JsonEncodedText StatusCode = JsonEncodedText.Encode("StatusCode");
    public static readonly JsonEncodedText SourceTimestamp = JsonEncodedText.Encode("SourceTimestamp");
    public static readonly JsonEncodedText SourcePicoseconds = JsonEncodedText.Encode("SourcePicoseconds");
    public static readonly JsonEncodedText ServerTimestamp = JsonEncodedText.Encode("ServerTimestamp");
    public static readonly JsonEncodedText ServerPicoseconds = JsonEncodedText.Encode("ServerPicoseconds");
    public static readonly JsonEncodedText UaTypeId = JsonEncodedText.Encode("UaTypeId");
    public static readonly JsonEncodedText UaEncoding = JsonEncodedText.Encode("UaEncoding");
    public static readonly JsonEncodedText UaBody = JsonEncodedText.Encode("UaBody");
    public static readonly JsonEncodedText TypeId = JsonEncodedText.Encode("TypeId");
    public static readonly JsonEncodedText Encoding = JsonEncodedText.Encode("Encoding");
    public static readonly JsonEncodedText Code = JsonEncodedText.Encode("Code");
    public static readonly JsonEncodedText Symbol = JsonEncodedText.Encode("Symbol");
    public static readonly JsonEncodedText IdType = JsonEncodedText.Encode("IdType");
    public static readonly JsonEncodedText Id = JsonEncodedText.Encode("Id");
    public static readonly JsonEncodedText Namespace = JsonEncodedText.Encode("Namespace");
    public static readonly JsonEncodedText ServerUri = JsonEncodedText.Encode("ServerUri");
    public static readonly JsonEncodedText Name = JsonEncodedText.Encode("Name");
    public static readonly JsonEncodedText Uri = JsonEncodedText.Encode("Uri");
    public static readonly JsonEncodedText Locale = JsonEncodedText.Encode("Locale");
    public static readonly JsonEncodedText Text = JsonEncodedText.Encode("Text");
    public static readonly JsonEncodedText SymbolicId = JsonEncodedText.Encode("SymbolicId");
    public static readonly JsonEncodedText NamespaceUri = JsonEncodedText.Encode("NamespaceUri");
    public static readonly JsonEncodedText LocalizedText = JsonEncodedText.Encode("LocalizedText");
    public static readonly JsonEncodedText AdditionalInfo = JsonEncodedText.Encode("AdditionalInfo");
    public static readonly JsonEncodedText InnerStatusCode = JsonEncodedText.Encode("InnerStatusCode");
    public static readonly JsonEncodedText InnerDiagnosticInfo = JsonEncodedText.Encode("InnerDiagnosticInfo");
}
