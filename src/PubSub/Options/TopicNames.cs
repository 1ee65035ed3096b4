using System.Text;

namespace Gateway.PubSub.Options;

/// <summary>Names that become a level of an MQTT topic. A half of a surrogate pair is no character.
/// Source: Part 14 §7.3.4.7, MQTT 5.0 §4.7.</summary>
public static class TopicNames
{
    public const string Expected = "must be 1 to 128 characters without / + # and control characters, and not begin "
        + "with $";

    private const int MaxLength = 128;

    public static bool IsLevel(string name) =>
        name.Length is > 0 and <= MaxLength && name[0] != '$' && name.AsSpan().IndexOfAny('/', '+', '#') < 0 &&
        !name.Any(char.IsControl) && !name.EnumerateRunes().Contains(Rune.ReplacementChar);
}
