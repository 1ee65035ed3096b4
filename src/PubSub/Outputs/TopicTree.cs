namespace Gateway.PubSub.Outputs;

/// <summary>The topics of one publisher:
/// <c>prefix/encoding/messageType/publisherId[/writerGroup[/dataSetWriter]]</c>. Source: Part 14 §7.3.4.7.</summary>
internal sealed class TopicTree(string prefix, string publisherId)
{
    public const string DataType = "data";
    public const string MetaDataType = "metadata";
    public const string StatusType = "status";
    public const string ConnectionType = "connection";
    public const string ApplicationType = "application";
    public const string GapsType = "gaps";

    /// <param name="isJson">Else UADP.</param>
    /// <param name="group">Its name.</param>
    /// <param name="writer">Its name; null: of all writers of the group.</param>
    public string Data(bool isJson, string group, string? writer) =>
        $"{Of(isJson, DataType)}/{group}{(writer is null ? "" : "/" + writer)}";

    public string MetaData(bool isJson, string group, string writer) => $"{Of(isJson, MetaDataType)}/{group}/{writer}";

    /// <summary>Not of the standard: the fields of a writer are below it.</summary>
    public string Plain(string group, string writer) => $"{prefix}/plain/{publisherId}/{group}/{writer}";

    /// <summary>Where all plain topics begin.</summary>
    public string PlainBelow => prefix + "/plain/";

    /// <summary>Filter: of all groups and writers.</summary>
    public string AllData(bool isJson) => $"{Of(isJson, DataType)}/#";

    /// <summary>Filter: of all groups and writers.</summary>
    public string AllMetaData(bool isJson) => $"{Of(isJson, MetaDataType)}/#";

    public string Status(bool isJson) => Of(isJson, StatusType);

    public string Connection(bool isJson) => Of(isJson, ConnectionType);

    public string Application(bool isJson) => Of(isJson, ApplicationType);

    /// <summary>Where all topics of UADP begin.</summary>
    public string Uadp => prefix + "/uadp/";

    /// <summary>Not of the standard: reports of lost messages.</summary>
    public string Gaps => Of(isJson: true, GapsType);

    private string Of(bool isJson, string type) => $"{prefix}/{(isJson ? "json" : "uadp")}/{type}/{publisherId}";
}
