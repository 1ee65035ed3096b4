using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Gateway.PubSub.Json;

/// <summary>The members and the MessageTypes of JSON messages, encoded once. Source: Part 14 §7.2.5.</summary>
internal static class JsonMessageNames
{
    public const string Data = "ua-data";
    public const string MetaDataType = "ua-metadata";
    public const string StatusType = "ua-status";
    public const string ConnectionType = "ua-connection";
    public const string ApplicationType = "ua-application";
    public const string EndpointsType = "ua-endpoints";
    public const string KeyFrame = "ua-keyframe";
    public const string DeltaFrame = "ua-deltaframe";
    public const string EventFrame = "ua-event";
    public const string KeepAlive = "ua-keepalive";

    public static readonly JsonEncodedText MessageId = JsonEncodedText.Encode("MessageId");
    public static readonly JsonEncodedText MessageType = JsonEncodedText.Encode("MessageType");
    public static readonly JsonEncodedText PublisherId = JsonEncodedText.Encode("PublisherId");
    public static readonly JsonEncodedText WriterGroupName = JsonEncodedText.Encode("WriterGroupName");
    public static readonly JsonEncodedText DataSetClassId = JsonEncodedText.Encode("DataSetClassId");
    public static readonly JsonEncodedText Messages = JsonEncodedText.Encode("Messages");
    public static readonly JsonEncodedText DataSetWriterId = JsonEncodedText.Encode("DataSetWriterId");
    public static readonly JsonEncodedText DataSetWriterName = JsonEncodedText.Encode("DataSetWriterName");
    public static readonly JsonEncodedText SequenceNumber = JsonEncodedText.Encode("SequenceNumber");
    public static readonly JsonEncodedText MetaDataVersion = JsonEncodedText.Encode("MetaDataVersion");
    public static readonly JsonEncodedText MinorVersion = JsonEncodedText.Encode("MinorVersion");
    public static readonly JsonEncodedText Timestamp = JsonEncodedText.Encode("Timestamp");
    public static readonly JsonEncodedText Status = JsonEncodedText.Encode("Status");
    public static readonly JsonEncodedText Payload = JsonEncodedText.Encode("Payload");
    public static readonly JsonEncodedText Value = JsonEncodedText.Encode("Value");
    public static readonly JsonEncodedText MetaData = JsonEncodedText.Encode("MetaData");
    public static readonly JsonEncodedText IsCyclic = JsonEncodedText.Encode("IsCyclic");
    public static readonly JsonEncodedText NextReportTime = JsonEncodedText.Encode("NextReportTime");
    public static readonly JsonEncodedText Connection = JsonEncodedText.Encode("Connection");
    public static readonly JsonEncodedText Description = JsonEncodedText.Encode("Description");
    public static readonly JsonEncodedText ServerCapabilities = JsonEncodedText.Encode("ServerCapabilities");
    public static readonly JsonEncodedText Endpoints = JsonEncodedText.Encode("Endpoints");

    public static readonly JsonEncodedText DataText = JsonEncodedText.Encode(Data);
    public static readonly JsonEncodedText KeyFrameText = JsonEncodedText.Encode(KeyFrame);
    public static readonly JsonEncodedText DeltaFrameText = JsonEncodedText.Encode(DeltaFrame);
    public static readonly JsonEncodedText EventFrameText = JsonEncodedText.Encode(EventFrame);
    public static readonly JsonEncodedText KeepAliveText = JsonEncodedText.Encode(KeepAlive);

    /// <summary>A text of the configuration. Invalid UTF-16 becomes U+FFFD, as in UA Binary.</summary>
    public static JsonEncodedText Encode(string? text) =>
        JsonEncodedText.Encode(Encoding.UTF8.GetBytes(text ?? ""), JavaScriptEncoder.UnsafeRelaxedJsonEscaping);
}
