using System.Text;

namespace Gateway.Admission.Stages;

/// <summary>The names of an enum's values as metrics write them: <c>snake_case</c>, by value from 0 on.</summary>
public static class EnumLabels
{
    public static string[] Of<T>()
        where T : struct, Enum => [.. Enum.GetNames<T>().Select(Of)];

    /// <summary>Of one name.</summary>
    public static string Of(string name)
    {
        var result = new StringBuilder();
        foreach (var c in name)
        {
            if (char.IsUpper(c) && result.Length > 0)
                result.Append('_');
            result.Append(char.ToLowerInvariant(c));
        }

        return result.ToString();
    }
}
