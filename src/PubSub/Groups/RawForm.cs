using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp;

namespace Gateway.PubSub.Groups;

/// <summary>Whether RawData can carry data sets.</summary>
internal static class RawForm
{
    /// <summary>Why a group with RawData can publish nothing, in words; null: it can.</summary>
    public static string? FindFormless(IEnumerable<WriterDescription> writers)
    {
        foreach (var metaData in writers.Where(static one => one.HasKeyFramesOnly).Select(static one => one.MetaData))
        {
            if (Array.Find(metaData.Fields ?? [], static one => !RawField.TryOf(one, out _)) is { } field)
                return $"RawData has no form for the field '{field.Name}' of '{metaData.Name}'";
        }

        return null;
    }
}
