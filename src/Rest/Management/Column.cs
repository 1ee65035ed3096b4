using System.Text.Json;
using Gateway.Operations.Access;

namespace Gateway.Rest.Management;

/// <summary>One member of a list's entries.</summary>
/// <param name="Name">Of the member, and what <c>fields</c> calls it.</param>
/// <param name="Write">Writes name and value, or nothing where there is no value.</param>
/// <param name="Needs">Entries lack it for callers without this; null: for nobody.</param>
/// <param name="Text">The text that a search looks at, as it is written; null: none does.</param>
internal sealed record Column<T>(
    string Name, Action<Utf8JsonWriter, T> Write, GatewayPermission? Needs = null, Func<T, string>? Text = null);
