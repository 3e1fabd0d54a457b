"""Serves the blog with Django REST framework JSON:API.

    python django_server.py PORT
"""

import sys
from wsgiref.simple_server import make_server

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application


def configure():
    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        INSTALLED_APPS=["rest_framework", "rest_framework_json_api", "blog"],
        JSON_API_FORMAT_FIELD_NAMES="camelize",
        JSON_API_UNIFORM_EXCEPTIONS=True,
        REST_FRAMEWORK={
            "DEFAULT_AUTHENTICATION_CLASSES": [],
            "DEFAULT_PERMISSION_CLASSES": [],
            "DEFAULT_PAGINATION_CLASS": "rest_framework_json_api.pagination.JsonApiPageNumberPagination",
            "DEFAULT_PARSER_CLASSES": ["rest_framework_json_api.parsers.JSONParser"],
            "DEFAULT_RENDERER_CLASSES": ["rest_framework_json_api.renderers.JSONRenderer"],
            "DEFAULT_METADATA_CLASS": "rest_framework_json_api.metadata.JSONAPIMetadata",
            "DEFAULT_FILTER_BACKENDS": [
                "rest_framework_json_api.filters.QueryParameterValidationFilter",
                "rest_framework_json_api.filters.OrderingFilter",
                "blog.filters.FieldFilter",
            ],
            "EXCEPTION_HANDLER": "rest_framework_json_api.exceptions.exception_handler",
            "PAGE_SIZE": 10,
            "UNAUTHENTICATED_USER": None,
        },
        ROOT_URLCONF="blog.api",
        USE_TZ=True,
    )
    django.setup()


def fill():
    """The same five articles every time."""
    from blog.models import Article, Person, Tag
    from django.db import connection

    with connection.schema_editor() as editor:
        for model in (Person, Tag, Article):
            editor.create_model(model)
    ann = Person.objects.create(name="Ann")
    Person.objects.create(name="Bea")
    for label in ("swift", "json", "http"):
        Tag.objects.create(label=label)
    for number, title in enumerate(("Clocks", "Doors", "Keys", "Lamps", "Maps"), start=1):
        article = Article.objects.create(title=title, word_count=number * 100, author=ann if number % 2 else None)
        article.tags.set(Tag.objects.filter(id__lte=number % 3))


if __name__ == "__main__":
    configure()
    fill()
    # One thread: the database in memory belongs to it.
    make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application()).serve_forever()
