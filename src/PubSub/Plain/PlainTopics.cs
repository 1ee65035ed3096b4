using System.Text;
using Gateway.Codec.Structures;

namespace Gateway.PubSub.Plain;

/// <summary>The topic of each field of a writer: the writer's, and the field's name with levels in place of its points.
/// Characters that have a meaning for brokers become <c>_</c>; two fields never share a topic.</summary>
internal static class PlainTopics
{
    private const int MaxBytes = 60_000;

    /// <param name="below">Topic of the writer.</param>
    /// <param name="fields">In order.</param>
    public static byte[][] Of(string below, IReadOnlyList<FieldMetaData> fields)
    {
        var known = new HashSet<string>(StringComparer.Ordinal);
        var topics = new byte[fields.Count][];
        for (var i = 0; i < topics.Length; i++)
        {
            var topic = $"{below}/{LevelsOf(fields[i].Name ?? "")}";
            if (Encoding.UTF8.GetByteCount(topic) > MaxBytes)
                topic = $"{below}/{fields[i].DataSetFieldId}";
            var own = topic;
            for (var number = 2; !known.Add(own); number++)
                own = $"{topic}_{number}";
            topics[i] = Encoding.UTF8.GetBytes(own);
        }

        return topics;
    }

    private static string LevelsOf(string name) => string.Create(name.Length, name, static (levels, name) =>
    {
        for (var i = 0; i < levels.Length; i++)
        {
            var one = name[i];
            levels[i] = one switch
            {
                '.' when i > 0 && i < name.Length - 1 && name[i - 1] != '.' => '/',
                '.' or '/' or '+' or '#' => '_',
                _ when char.IsControl(one) || char.IsSurrogate(one) || one == '\uFFFE' || one == '\uFFFF' => '_',
                _ => one,
            };
        }
    });
}
