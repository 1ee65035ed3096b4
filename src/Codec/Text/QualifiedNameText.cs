using System.Globalization;
using Gateway.Codec.Types;

namespace Gateway.Codec.Text;

/// <summary>The text form of a QualifiedName: <c>index:name</c>, or the name alone in namespace 0.
/// Source: Part 6 §5.1.12.</summary>
public static class QualifiedNameText
{
    public static string Format(QualifiedName value) => value.NamespaceIndex == 0
        ? value.Name ?? string.Empty
        : string.Create(CultureInfo.InvariantCulture, $"{value.NamespaceIndex}:{value.Name}");
}
