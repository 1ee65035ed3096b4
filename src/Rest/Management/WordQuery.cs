using Gateway.Rest.Access;
using Gateway.Rest.Lists;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Management;

/// <summary>The query's <c>q</c>: words of which each must stand in one of an entry's texts, in any case of letters.
/// Immutable.</summary>
internal readonly struct WordQuery
{
    public const int MaxLength = 256;

    private const int MaxWords = 15;
    private const string Expected = "q: expected at most 15 words of 256 characters";

    private readonly string[]? _words;

    private WordQuery(string[] words) => _words = words;

    public bool IsEmpty => _words is null or [];

    /// <returns>The problem; null: there is none.</returns>
    public static string? Read(HttpRequest request, out WordQuery query)
    {
        var text = request.Query["q"].ToString();
        query = new(text.Length > MaxLength ? [] : text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        return text.Length > MaxLength || query._words!.Length > MaxWords ? Expected : null;
    }

    /// <summary>The first entries that fit, and how many do. It looks at all, page by page, each page in a turn of its
    /// own: searches of many viewers do not take the machine from values (R44).</summary>
    /// <param name="request">Has the turns.</param>
    /// <param name="most">Entries of the answer.</param>
    /// <param name="pageSize">Entries that are looked at in one go.</param>
    /// <param name="columns">Those that the caller may see.</param>
    /// <param name="read">One page.</param>
    public async Task<ListPage<T>> FindAsync<T>(
        RestRequest request, int most, int pageSize, IEnumerable<Column<T>> columns,
        Func<PageQuery, Task<(IReadOnlyList<T>? Entries, string? Next)>> read)
    {
        var texts = columns.Where(static one => one.Text is not null).Select(static one => one.Text!).ToArray();
        var first = new List<T>();
        var found = 0;
        for (string? cursor = ""; cursor is not null;)
        {
            await request.NextAsync().ConfigureAwait(false);
            var (entries, next) = await read(new PageQuery(pageSize, cursor)).ConfigureAwait(false);
            foreach (var entry in entries ?? [])
            {
                if (!Fits(entry, texts))
                    continue;
                found++;
                if (first.Count < most)
                    first.Add(entry);
            }

            cursor = next;
        }

        request.EndTurns();
        return new(first, Next: null, found);
    }

    private bool Fits<T>(T entry, Func<T, string>[] texts)
    {
        foreach (var word in _words!)
        {
            if (!Array.Exists(texts, text => text(entry).Contains(word, StringComparison.OrdinalIgnoreCase)))
                return false;
        }

        return true;
    }
}
