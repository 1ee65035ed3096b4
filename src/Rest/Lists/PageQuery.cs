using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Lists;

/// <summary>The query's <c>limit</c> and <c>cursor</c>.</summary>
/// <param name="Limit">At least 1.</param>
/// <param name="Cursor">Empty: the first page.</param>
internal readonly record struct PageQuery(int Limit, string Cursor)
{
    public const string ExpectedLimit = "limit: expected a whole number from 1 on";
    public const string ExpectedCursor = "cursor: expected the member next of the page before";

    private const int DefaultLimit = 100;
    private const int MaxCursorLength = 32;

    /// <param name="request">Its query.</param>
    /// <param name="limits">Of a page.</param>
    /// <param name="page">As asked, within the limits.</param>
    /// <param name="maxCursorLength">Of the cursors that this list gives.</param>
    /// <returns>The problem; null: there is none.</returns>
    public static string? Read(
        HttpRequest request, RestLimits limits, out PageQuery page, int maxCursorLength = MaxCursorLength)
    {
        page = default;
        var (limit, cursor) = (request.Query["limit"].ToString(), request.Query["cursor"].ToString());
        var number = DefaultLimit;
        if (limit.Length > 0 && (!int.TryParse(limit, NumberStyles.None, CultureInfo.InvariantCulture, out number) ||
            number < 1))
            return ExpectedLimit;
        if (cursor.Length > maxCursorLength)
            return ExpectedCursor;
        page = new PageQuery(Math.Min(number, limits.MaxHttpPageNodes), cursor);
        return null;
    }
}
