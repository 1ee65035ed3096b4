using Gateway.Codec.Structures;

namespace Gateway.PubSub.Options;

/// <summary>The rules of a group's keys that say which parts its messages have.</summary>
internal static class ContentRules
{
    private const UadpNetworkMessageContentMask InGroupHeader =
        UadpNetworkMessageContentMask.WriterGroupId | UadpNetworkMessageContentMask.GroupVersion |
        UadpNetworkMessageContentMask.NetworkMessageNumber | UadpNetworkMessageContentMask.SequenceNumber;

    private const DataSetFieldContentMask FieldNames =
        DataSetFieldContentMask.StatusCode | DataSetFieldContentMask.SourceTimestamp |
        DataSetFieldContentMask.ServerTimestamp | DataSetFieldContentMask.SourcePicoSeconds |
        DataSetFieldContentMask.ServerPicoSeconds;

    /// <summary>DataSetMessages are never promoted: no field is.</summary>
    private const UadpNetworkMessageContentMask UadpNetworkMessageNames =
        MessageMasks.UadpNetworkMessage | UadpNetworkMessageContentMask.GroupHeader | InGroupHeader |
        UadpNetworkMessageContentMask.Timestamp | UadpNetworkMessageContentMask.PicoSeconds |
        UadpNetworkMessageContentMask.DataSetClassId;

    private const UadpDataSetMessageContentMask UadpDataSetMessageNames =
        MessageMasks.UadpDataSetMessage | UadpDataSetMessageContentMask.PicoSeconds;

    public static void Validate(OptionErrors errors, WriterGroupOptions group, string publisherIdType)
    {
        ValidateLayout(errors, group, publisherIdType);
        ValidateFields(errors, group);
        if (group.NetworkMessageContent.Length > 0)
        {
            if (group.IsUadp)
                ValidateUadp(errors, group);
            else
                Demand(
                    errors, nameof(group.NetworkMessageContent), group.NetworkMessageContent,
                    MessageMasks.JsonNetworkMessageNames);
        }

        if (group.DataSetMessageContent.Length == 0)
            return;
        if (group.IsUadp)
            Demand(
                errors, nameof(group.DataSetMessageContent), group.DataSetMessageContent, UadpDataSetMessageNames);
        else
            Demand(
                errors, nameof(group.DataSetMessageContent), group.DataSetMessageContent,
                MessageMasks.JsonDataSetMessageNames);
    }

    private static void ValidateLayout(OptionErrors errors, WriterGroupOptions group, string publisherIdType)
    {
        errors.Demand(
            group.HeaderLayout is "" or "periodic-fixed" or "dynamic", nameof(group.HeaderLayout),
            $"'{group.HeaderLayout}' is neither periodic-fixed nor dynamic");
        errors.Demand(group.HeaderLayout.Length == 0 || group.IsUadp, nameof(group.HeaderLayout), "is of uadp only");
        errors.Demand(
            group.HeaderLayout.Length == 0 ||
            (group.NetworkMessageContent.Length == 0 && group.DataSetMessageContent.Length == 0),
            nameof(group.HeaderLayout), "says which parts messages have: leave out the keys of their content");
        errors.Demand(
            group.HeaderLayout switch
            {
                "periodic-fixed" => publisherIdType is "UInt16" or "UInt64",
                "dynamic" => publisherIdType is "UInt64",
                _ => true,
            },
            nameof(group.HeaderLayout),
            "needs the connection's PublisherIdType UInt64; periodic-fixed also takes UInt16");
        errors.Demand(
            !group.IsPlain || (group.NetworkMessageContent.Length == 0 && group.DataSetMessageContent.Length == 0),
            nameof(group.Encoding), "plain has no content of messages to choose");
    }

    private static void ValidateFields(OptionErrors errors, WriterGroupOptions group)
    {
        errors.Demand(
            group.FieldEncoding is "" or "DataValue" or "Variant" or "RawData", nameof(group.FieldEncoding),
            $"'{group.FieldEncoding}' is none of DataValue, Variant and RawData");
        errors.Demand(group.FieldEncoding.Length == 0 || !group.IsPlain, nameof(group.FieldEncoding), "not of plain");
        errors.Demand(
            group.FieldEncoding != "RawData" || group.IsUadp || group.Encoding == "json-raw",
            nameof(group.FieldEncoding), "RawData in JSON is the Encoding json-raw");
        errors.Demand(
            group.FieldEncoding is "" or "RawData" || (group.Encoding != "json-raw" && !group.IsPeriodic),
            nameof(group.FieldEncoding), "json-raw and periodic-fixed have RawData");
        if (group.FieldContent.Length == 0)
            return;
        errors.Demand(
            MessageMasks.Fields(group) is not (DataSetFieldContentMask.RawData or DataSetFieldContentMask.None),
            nameof(group.FieldContent), "is of DataValues, and at least one part: for none use FieldEncoding Variant");
        Demand(errors, nameof(group.FieldContent), group.FieldContent, FieldNames);
    }

    /// <summary>A subscriber cannot find out what these would mean.</summary>
    private static void ValidateUadp(OptionErrors errors, WriterGroupOptions group)
    {
        const string Key = nameof(WriterGroupOptions.NetworkMessageContent);
        if (!Demand(errors, Key, group.NetworkMessageContent, UadpNetworkMessageNames))
            return;
        var mask = MessageMasks.UadpNetworkMessageOf(group);
        errors.Demand(
            (mask & InGroupHeader) == 0 || mask.HasFlag(UadpNetworkMessageContentMask.GroupHeader), Key,
            "WriterGroupId, GroupVersion, NetworkMessageNumber and SequenceNumber need GroupHeader");
        errors.Demand(
            !mask.HasFlag(UadpNetworkMessageContentMask.PicoSeconds) ||
            mask.HasFlag(UadpNetworkMessageContentMask.Timestamp), Key, "PicoSeconds needs Timestamp");
        errors.Demand(
            mask.HasFlag(UadpNetworkMessageContentMask.PayloadHeader) || group.DataSetWriters.Count == 1, Key,
            "without PayloadHeader a group of several writers needs the HeaderLayout periodic-fixed");
    }

    private static bool Demand<T>(OptionErrors errors, string key, string text, T allowed)
        where T : struct, Enum
    {
        var wrong = ContentNames.Parse(text, allowed, out _);
        errors.Demand(wrong is null, key, $"'{wrong}' is none of {ContentNames.Names(allowed)}");
        return wrong is null;
    }
}
