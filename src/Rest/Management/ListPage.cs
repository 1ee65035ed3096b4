namespace Gateway.Rest.Management;

/// <summary>The answer of a list.</summary>
/// <param name="Entries">Null: the cursor is none.</param>
/// <param name="Next">The cursor of the next page; null: this is the last.</param>
/// <param name="Found">Of a search, how many entries fit; null: nothing was searched.</param>
internal readonly record struct ListPage<T>(IReadOnlyList<T>? Entries, string? Next, int? Found);
