using Gateway.Codec.Structures;

namespace Gateway.PubSub.Messages;

/// <summary>The version of a group's layout. Source: Part 14 §6.2.6.1.</summary>
internal static class GroupVersion
{
    /// <summary>Messages that say no versions of their data sets have that of the newest one.</summary>
    public static uint Of(IEnumerable<DataSetMetaDataType> dataSets) => dataSets
        .Select(static one => Math.Max(
            one.ConfigurationVersion.MajorVersion, one.ConfigurationVersion.MinorVersion))
        .DefaultIfEmpty().Max();
}
